#include <memory>
#include <string>
#include <utility>

#include "tarn/datafile/file_format.h"
#include "tarn/datafile/orc_reader_internal.h"
#include "tarn/datafile/orc_writer_internal.h"

namespace tarn {
namespace {

class OrcFormat final : public FileFormat {
 public:
  explicit OrcFormat(std::string attribute_prefix) : prefix_(std::move(attribute_prefix)) {}

  std::string_view name() const override { return "orc"; }
  Result<Schema> ReadSchema(const ObjectReader& file) const override {
    // Arrow wants to share what it reads from; this object is the caller's and outlives the call.
    return ReadOrcSchema(std::shared_ptr<const ObjectReader>(std::shared_ptr<void>(), &file),
                         prefix_);
  }
  Result<std::unique_ptr<BatchStream>> Read(std::shared_ptr<ObjectReader> file,
                                            const FileReadOptions& options) const override {
    return ReadOrc(std::move(file), options, prefix_);
  }
  Result<std::unique_ptr<DataFileWriter>> Write(std::unique_ptr<ObjectWriter> object,
                                                const FileWriteOptions& options) const override {
    return MakeOrcWriter(std::move(object), options, prefix_);
  }

 private:
  const std::string prefix_;
};

}  // namespace

std::unique_ptr<FileFormat> MakeOrcFormat(std::string attribute_prefix) {
  return std::make_unique<OrcFormat>(std::move(attribute_prefix));
}

}  // namespace tarn
