#include <arrow/array/data.h>
#include <arrow/buffer.h>
#include <arrow/memory_pool.h>
#include <arrow/type.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "tarn/datafile/text_columns_internal.h"

namespace tarn {

GrowBuffer::GrowBuffer() = default;
GrowBuffer::~GrowBuffer() = default;
GrowBuffer::GrowBuffer(GrowBuffer&&) noexcept = default;
GrowBuffer& GrowBuffer::operator=(GrowBuffer&&) noexcept = default;

void GrowBuffer::Grow(int64_t more) {
  int64_t wanted = std::max({size_ + more, capacity_ * 2, int64_t{256}});
  if (buffer_ == nullptr) {
    wanted = std::max(wanted, last_size_ + last_size_ / 16);
    auto made = arrow::AllocateResizableBuffer(wanted);
    if (!made.ok()) std::abort();  // out of memory, as operator new would
    buffer_ = std::move(made).ValueUnsafe();
  } else {
    // What lies behind the buffer's size is not kept by Resize: all of it counts as used.
    if (!buffer_->Resize(wanted, /*shrink_to_fit=*/false).ok()) std::abort();
  }
  data_ = buffer_->mutable_data();
  capacity_ = buffer_->size();
}

std::shared_ptr<arrow::Buffer> GrowBuffer::Finish() {
  if (buffer_ == nullptr) Grow(1);
  if (!buffer_->Resize(size_, /*shrink_to_fit=*/capacity_ > 2 * size_).ok()) std::abort();
  data_ = nullptr;
  last_size_ = size_;
  size_ = capacity_ = 0;
  return std::shared_ptr<arrow::Buffer>(std::move(buffer_));
}

namespace {

// Bytes of 0 and 1 as a bitmap, lowest bit first.
std::shared_ptr<arrow::Buffer> PackBits(const uint8_t* bytes, int64_t count) {
  auto made = arrow::AllocateBuffer((count + 7) / 8);
  if (!made.ok()) std::abort();
  std::unique_ptr<arrow::Buffer> bits = std::move(made).ValueUnsafe();
  uint8_t* out = bits->mutable_data();
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, bytes + i, 8);
    *out++ = static_cast<uint8_t>((eight * 0x0102040810204080ULL) >> 56);
  }
  if (i < count) {
    uint8_t last = 0;
    for (int bit = 0; i < count; ++i, ++bit) last |= static_cast<uint8_t>(bytes[i] << bit);
    *out = last;
  }
  return bits;
}

TextColumn::Layout LayoutOf(const Type& type, int32_t* width) {
  switch (type.kind) {
    case TypeKind::kVoid:
      return TextColumn::Layout::kNull;
    case TypeKind::kBoolean:
      return TextColumn::Layout::kBoolean;
    case TypeKind::kInt8:
      *width = 1;
      return TextColumn::Layout::kFixed;
    case TypeKind::kInt16:
      *width = 2;
      return TextColumn::Layout::kFixed;
    case TypeKind::kInt32:
    case TypeKind::kFloat:
    case TypeKind::kDate:
      *width = 4;
      return TextColumn::Layout::kFixed;
    case TypeKind::kInt64:
    case TypeKind::kDouble:
    case TypeKind::kTime:
    case TypeKind::kTimestamp:
    case TypeKind::kTimestampTz:
    case TypeKind::kTimestampNs:
    case TypeKind::kTimestampTzNs:
      *width = 8;
      return TextColumn::Layout::kFixed;
    case TypeKind::kDecimal:
    case TypeKind::kUuid:
      *width = 16;
      return TextColumn::Layout::kFixed;
    case TypeKind::kFixed:
      *width = type.length;
      return TextColumn::Layout::kFixed;
    case TypeKind::kString:
    case TypeKind::kBinary:
    case TypeKind::kVariant:
      return TextColumn::Layout::kBytes;
    case TypeKind::kStruct:
      return TextColumn::Layout::kStruct;
    case TypeKind::kList:
    case TypeKind::kMap:
      return TextColumn::Layout::kList;
  }
  return TextColumn::Layout::kNull;
}

}  // namespace

TextColumn::TextColumn(const Type& type, std::shared_ptr<arrow::DataType> arrow_type)
    : arrow_type_(std::move(arrow_type)), layout_(LayoutOf(type, &width_)) {
  if (type.kind == TypeKind::kStruct || type.kind == TypeKind::kList) {
    for (size_t i = 0; i < type.fields.size(); ++i) {
      children_.push_back(std::make_unique<TextColumn>(
          type.fields[i].type, arrow_type_->field(static_cast<int>(i))->type()));
    }
  } else if (type.kind == TypeKind::kMap) {
    children_.push_back(
        std::make_unique<TextColumn>(Type::Struct(type.fields), arrow_type_->field(0)->type()));
  }
  Start();
}

TextColumn::~TextColumn() = default;

void TextColumn::Start() {
  length_ = 0;
  if (layout_ == Layout::kBytes || layout_ == Layout::kList) offsets_.Append(int32_t{0});
}

void TextColumn::AppendNull() {
  valid_.Append(uint8_t{0});
  ++length_;
  switch (layout_) {
    case Layout::kNull:
      break;
    case Layout::kBoolean:
      values_.Append(uint8_t{0});
      break;
    case Layout::kFixed:
      values_.Reserve(width_);
      std::memset(values_.end(), 0, static_cast<size_t>(width_));
      values_.Advance(width_);
      break;
    case Layout::kBytes:
      offsets_.Append(static_cast<int32_t>(values_.size()));
      break;
    case Layout::kStruct:
      for (auto& member : children_) member->AppendNull();
      break;
    case Layout::kList:
      offsets_.Append(static_cast<int32_t>(children_[0]->length_));
      break;
  }
}

void TextColumn::Truncate(int64_t length) {
  if (layout_ == Layout::kStruct) {
    // Members of a struct that was cut short may be longer than the struct itself.
    for (auto& member : children_) member->Truncate(length);
  } else if (layout_ == Layout::kList) {
    const int64_t kept = std::min(length, length_);
    children_[0]->Truncate(offsets_.as<int32_t>()[kept]);
  } else if (layout_ == Layout::kBytes) {
    values_.Truncate(offsets_.as<int32_t>()[std::min(length, length_)]);
  }
  if (length >= length_) return;
  length_ = length;
  valid_.Truncate(length);
  switch (layout_) {
    case Layout::kBoolean:
      values_.Truncate(length);
      break;
    case Layout::kFixed:
      values_.Truncate(length * width_);
      break;
    case Layout::kBytes:
    case Layout::kList:
      offsets_.Truncate((length + 1) * static_cast<int64_t>(sizeof(int32_t)));
      break;
    case Layout::kNull:
    case Layout::kStruct:
      break;
  }
}

int64_t TextColumn::memory_bytes() {
  int64_t bytes = valid_.size() + values_.size() + offsets_.size();
  for (auto& column : children_) bytes += column->memory_bytes();
  return bytes;
}

std::shared_ptr<arrow::ArrayData> TextColumn::Finish() {
  const int64_t length = length_;
  const int64_t nulls = length - std::count(valid_.data(), valid_.data() + length, uint8_t{1});
  std::vector<std::shared_ptr<arrow::Buffer>> buffers;
  if (layout_ == Layout::kNull) {
    valid_.Truncate(0);
    length_ = 0;
    return arrow::ArrayData::Make(arrow_type_, length, {nullptr}, length);
  }
  buffers.push_back(nulls == 0 ? nullptr : PackBits(valid_.data(), length));
  valid_.Truncate(0);
  switch (layout_) {
    case Layout::kNull:
    case Layout::kStruct:
      break;
    case Layout::kBoolean:
      buffers.push_back(PackBits(values_.data(), length));
      values_.Truncate(0);
      break;
    case Layout::kFixed:
      buffers.push_back(values_.Finish());
      break;
    case Layout::kBytes:
      buffers.push_back(offsets_.Finish());
      buffers.push_back(values_.Finish());
      break;
    case Layout::kList:
      buffers.push_back(offsets_.Finish());
      break;
  }
  std::vector<std::shared_ptr<arrow::ArrayData>> children;
  for (auto& column : children_) children.push_back(column->Finish());
  Start();
  return arrow::ArrayData::Make(arrow_type_, length, std::move(buffers), std::move(children),
                                nulls);
}

}  // namespace tarn
