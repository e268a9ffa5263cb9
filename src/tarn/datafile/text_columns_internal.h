#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include <arrow/type_fwd.h>

#include "tarn/base/result.h"
#include "tarn/model/types.h"

namespace tarn {

// Memory from Arrow's pool that grows by doubling and can be handed over as an Arrow buffer.
// Appends are inlined into decoders' loops: Reserve first, then write behind end() and Advance.
class GrowBuffer {
 public:
  GrowBuffer();
  ~GrowBuffer();
  GrowBuffer(GrowBuffer&&) noexcept;
  GrowBuffer& operator=(GrowBuffer&&) noexcept;

  uint8_t* data() { return data_; }
  uint8_t* end() { return data_ + size_; }
  int64_t size() const { return size_; }
  void Reserve(int64_t more) {
    if (size_ + more >= capacity_) Grow(more);  // also the first time, for an empty value
  }
  void Advance(int64_t bytes) { size_ += bytes; }
  void Truncate(int64_t size) { size_ = size; }
  template <class T>
  void Append(T value) {
    Reserve(sizeof(T));
    std::memcpy(data_ + size_, &value, sizeof(T));
    size_ += static_cast<int64_t>(sizeof(T));
  }
  template <class T>
  T* as() {
    return reinterpret_cast<T*>(data_);
  }
  // The bytes so far; the buffer is empty afterwards.
  std::shared_ptr<arrow::Buffer> Finish();

 private:
  void Grow(int64_t more);
  std::unique_ptr<arrow::ResizableBuffer> buffer_;
  uint8_t* data_ = nullptr;
  int64_t size_ = 0;
  int64_t capacity_ = 0;
  int64_t last_size_ = 0;  // of the buffer handed over before: the next one will be alike
};

// One column being decoded from text, with its children, in Arrow's layout. Unlike Arrow's builders
// it can be cut back to an earlier length, which is how a row that turns out bad leaves no trace.
class TextColumn {
 public:
  // What a value looks like in memory.
  enum class Layout : uint8_t {
    kNull,
    kBoolean,  // a byte each until Finish
    kFixed,    // `width` bytes each
    kBytes,    // 32-bit offsets and bytes
    kStruct,
    kList,  // lists and maps: 32-bit offsets into the one child (a map's is a struct of key, value)
  };

  TextColumn(const Type& type, std::shared_ptr<arrow::DataType> arrow_type);
  ~TextColumn();

  Layout layout() const { return layout_; }
  int64_t length() const { return length_; }
  TextColumn& child(size_t i) { return *children_[i]; }

  void AppendNull();
  template <class T>
  void AppendFixed(T value) {
    values_.Append(value);
    Valid();
  }
  void AppendBoolean(bool value) {
    values_.Append(static_cast<uint8_t>(value ? 1 : 0));
    Valid();
  }
  void AppendBytes(std::string_view bytes) {
    const auto size = static_cast<int64_t>(bytes.size());
    values_.Reserve(size);
    std::memcpy(values_.end(), bytes.data(), bytes.size());
    FinishBytes(size);
  }
  void AppendFixedBytes(std::string_view bytes) {
    values_.Reserve(static_cast<int64_t>(bytes.size()));
    std::memcpy(values_.end(), bytes.data(), bytes.size());
    values_.Advance(static_cast<int64_t>(bytes.size()));
    Valid();
  }
  // Room for `size` bytes of the next value, to be written by the caller, who then calls
  // FinishBytes.
  char* ReserveBytes(int64_t size) {
    values_.Reserve(size);
    return reinterpret_cast<char*>(values_.end());
  }
  void FinishBytes(int64_t size) {
    values_.Advance(size);
    offsets_.Append(static_cast<int32_t>(values_.size()));
    Valid();
  }
  // A struct's or list's value after its children's.
  void AppendStruct() { Valid(); }
  void AppendList() {
    offsets_.Append(static_cast<int32_t>(children_[0]->length_));
    Valid();
  }
  // Where the list being appended began in the child.
  int64_t ListBegin() { return offsets_.as<int32_t>()[length_]; }
  // The bytes of value `row` (kBytes).
  std::string_view BytesAt(int64_t row) {
    const int32_t* offsets = offsets_.as<int32_t>();
    return {reinterpret_cast<const char*>(values_.data()) + offsets[row],
            static_cast<size_t>(offsets[row + 1] - offsets[row])};
  }

  // Cuts back to `length` values, children alike; nothing happens when it is not longer.
  void Truncate(int64_t length);
  // Bytes held, children included.
  int64_t memory_bytes();
  // The column as an Arrow array; it is empty afterwards.
  std::shared_ptr<arrow::ArrayData> Finish();

 private:
  void Valid() {
    valid_.Append(uint8_t{1});
    ++length_;
  }
  void Start();

  std::shared_ptr<arrow::DataType> arrow_type_;
  int32_t width_ = 0;  // before layout_, which sets it
  Layout layout_;
  int64_t length_ = 0;
  GrowBuffer valid_;  // a byte each until Finish
  GrowBuffer values_;
  GrowBuffer offsets_;
  std::vector<std::unique_ptr<TextColumn>> children_;
};

}  // namespace tarn
