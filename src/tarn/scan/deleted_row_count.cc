#include "tarn/scan/deleted_row_count.h"

namespace tarn {

Result<int64_t> DeletedRowCount(const TableFormat& format, const TableHome& home,
                                const Snapshot& snapshot, const DataFile& file) {
  if (file.deletes.empty()) return 0;
  if (file.deletes.size() == 1 && file.deletes[0].kind == DeleteKind::kDeletionVector) {
    return file.deletes[0].row_count;
  }
  TARN_ASSIGN_OR_RETURN(const RowSet rows, format.DeletedRows(home, snapshot, file));
  return static_cast<int64_t>(rows.Count());
}

}  // namespace tarn
