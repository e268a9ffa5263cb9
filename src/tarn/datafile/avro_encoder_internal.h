#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/datafile/avro_packer_internal.h"
#include "tarn/datafile/avro_plan_internal.h"

namespace tarn {

// Rows of batches as the bytes of a block. Not thread-safe.
class AvroEncoder {
 public:
  // `schema` is a record. kInvalid, kUnsupported as MakeAvroPlan.
  static Result<std::unique_ptr<AvroEncoder>> Make(const AvroTypePtr& schema);
  ~AvroEncoder();
  AvroEncoder(const AvroEncoder&) = delete;
  AvroEncoder& operator=(const AvroEncoder&) = delete;

  // The batch whose rows are encoded next; kept until the next is given. kInvalid as
  // AvroWriter::Write says, for what can be told without looking at values.
  Status Bind(const arrow::RecordBatch& batch);
  // Appends rows from `row` on to `out` until it has `bytes_max` bytes or the batch ends; returns
  // the row after the last. kInvalid naming row and field.
  Result<int64_t> Encode(int64_t row, size_t bytes_max, AvroBuffer& out);

 private:
  enum class Code : uint8_t {
    kNothing,  // null; a record, whose members follow
    kBool,
    kInt,
    kLong,
    kRaw,  // `size` bytes as they are
    kText,
    kDecimalText,
    kDecimalFixed,  // `size` bytes
    kEnum,
    kList,   // the code up to `jump` writes one item
    kUnion,  // members_[table] of the column, of which one is set
  };
  static constexpr int32_t kNone = -1;

  struct Op {
    Code code = Code::kNothing;
    int32_t column = kNone;
    int32_t null_branch = kNone;  // of the union around the value, whose other branch
    int32_t branch = kNone;       // this is; written before the value
    int32_t jump = 0;             // behind the value
    int32_t size = 0;
    int32_t precision = 0;
    int32_t table = kNone;
  };
  // Members of a union: the branch of each, and where its code begins.
  struct Member {
    int32_t branch = 0;
    int32_t column = 0;
    int32_t begin = 0;
    int32_t end = 0;
  };
  struct Bound;

  explicit AvroEncoder(AvroTypePtr schema);

  void Compile(const AvroType& type, int32_t column, int32_t null_branch, int32_t branch);
  void CompileUnion(const AvroType& type, int32_t column);
  void CompilePlain(const AvroType& type, int32_t column, Op op);
  void Add(Op op) {
    op.jump = static_cast<int32_t>(ops_.size()) + 1;
    ops_.push_back(op);
  }

  Status BindColumn(const AvroType& type, int32_t column,
                    const std::shared_ptr<arrow::Array>& array);
  Status BindNested(const AvroType& type, int32_t column,
                    const std::shared_ptr<arrow::Array>& array);
  Status BindMember(const AvroField& field, int32_t column,
                    const std::shared_ptr<arrow::Array>& array);
  Status BindRecord(const AvroType& type, const std::vector<int32_t>& columns,
                    const std::vector<std::pair<std::string, std::shared_ptr<arrow::Array>>>& have,
                    const std::string& path);
  Result<std::shared_ptr<arrow::Array>> AsStored(const AvroType& type, int32_t column,
                                                 const std::shared_ptr<arrow::Array>& array) const;

  bool Run(int32_t begin, int32_t end, int64_t row);
  bool RunList(const Op& op, int32_t at, int64_t row);
  bool RunUnion(const Op& op, int64_t row);
  bool PutDecimal(const Op& op, const Bound& bound, int64_t row);
  bool PutEnum(const Op& op, const Bound& bound, int64_t row);
  bool Fail(int32_t column, std::string why);

  void Ensure(size_t bytes);
  void PutLong(int64_t value);
  void PutBytes(const void* bytes, size_t size);

  const AvroTypePtr schema_;
  std::shared_ptr<const AvroPlan> plan_;  // of the schema read as itself: how columns are laid out
  std::vector<Op> ops_;
  std::vector<std::vector<Member>> members_;
  std::vector<std::map<std::string, int64_t, std::less<>>> symbols_;
  std::vector<Bound> bound_;
  std::vector<std::string> constants_;  // by column: bytes of a field that the batch lacks
  int64_t row_count_ = 0;
  AvroBuffer* out_ = nullptr;
  size_t used_ = 0;
  std::string failure_;
};

}  // namespace tarn
