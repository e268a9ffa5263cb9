#include "tarn/storage/buffer_writer.h"

namespace tarn {
namespace {

class BufferWriter final : public ObjectWriter {
 public:
  explicit BufferWriter(Bytes& bytes) : bytes_(bytes) {}
  Status Append(BytesView bytes) override {
    bytes_ += bytes;
    return OkStatus();
  }
  Result<ObjectInfo> Finish() override {
    return ObjectInfo{.path = {}, .size_bytes = static_cast<int64_t>(bytes_.size())};
  }

 private:
  Bytes& bytes_;
};

}  // namespace

std::unique_ptr<ObjectWriter> MakeBufferWriter(Bytes& bytes) {
  return std::make_unique<BufferWriter>(bytes);
}

}  // namespace tarn
