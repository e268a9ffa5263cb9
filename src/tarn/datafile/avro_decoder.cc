#include "tarn/datafile/avro_decoder_internal.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include <arrow/array.h>
#include <arrow/buffer.h>
#include <arrow/memory_pool.h>
#include <arrow/record_batch.h>
#include <arrow/util/utf8.h>

#include "tarn/datafile/arrow_status.h"
#include "tarn/datafile/avro_varint_internal.h"
#include "tarn/model/value.h"

namespace tarn {
namespace {

constexpr const char* kInAvroDecoder = "avro";
constexpr int64_t kBatchBytes = int64_t{64} << 20;
constexpr int64_t kColumnsBytesMax = int64_t{1} << 30;
constexpr int64_t kTextBytesMax = INT32_MAX;
// Rows or items without bytes of their own: no block of ours holds so many.
constexpr int64_t kEmptyMax = int64_t{1} << 20;
constexpr int64_t kSlack = 16;  // bytes that may be written behind a text

std::array<Int128, 39> PowersOfTen() {
  std::array<Int128, 39> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}
const std::array<Int128, 39> kPowersOfTen = PowersOfTen();

// Two's complement, highest byte first. False beyond 128 bits.
bool ReadBigEndian(const uint8_t* bytes, int64_t size, Int128* value) {
  const bool negative = size > 0 && bytes[0] >= 0x80;
  const uint8_t sign = negative ? 0xFF : 0;
  while (size > 16) {
    if (*bytes != sign) return false;
    ++bytes;
    --size;
    if (size == 16 && (bytes[0] >= 0x80) != negative) return false;
  }
  auto raw = static_cast<unsigned __int128>(negative ? -1 : 0);
  for (int64_t i = 0; i < size; ++i) raw = raw << 8 | bytes[i];
  *value = static_cast<Int128>(raw);
  return true;
}

template <class T>
T ReadRaw(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

bool IsAscii(const uint8_t* bytes, int64_t size) {
  uint64_t high = 0;
  int64_t i = 0;
  for (; i + 8 <= size; i += 8) high |= ReadRaw<uint64_t>(bytes + i);
  for (; i < size; ++i) high |= bytes[i];
  return (high & 0x8080808080808080ULL) == 0;
}

// Whether each text of `ends` is UTF-8: all of them at once, then no end may cut a character.
bool AreUtf8(const uint8_t* bytes, const int32_t* ends, int64_t count) {
  const int64_t size = ends[count];
  if (IsAscii(bytes, size)) return true;
  if (!arrow::util::ValidateUTF8(bytes, size)) return false;
  for (int64_t i = 0; i < count; ++i) {
    if (ends[i] < size && (bytes[ends[i]] & 0xC0) == 0x80) return false;
  }
  return true;
}

}  // namespace

// Values of one column, in buffers that become the array's.
struct AvroDecoder::Column {
  const AvroColumn* plan = nullptr;
  uint8_t* data = nullptr;   // values, or int32 ends
  uint8_t* valid = nullptr;  // a byte each, if nullable
  int64_t count = 0;
  int64_t capacity = 0;
  uint8_t* text = nullptr;
  int64_t text_size = 0;
  int64_t text_capacity = 0;
  int64_t nulls = 0;
  int64_t width = 0;  // of data, a value
  std::shared_ptr<arrow::ResizableBuffer> data_buffer;
  std::shared_ptr<arrow::ResizableBuffer> text_buffer;
  std::unique_ptr<uint8_t[]> valid_bytes;

  template <class T>
  void Push(T value) {
    std::memcpy(data + count * static_cast<int64_t>(sizeof(T)), &value, sizeof(T));
    ++count;
  }
  void PushEnd(int64_t end) {
    ++count;
    reinterpret_cast<int32_t*>(data)[count] = static_cast<int32_t>(end);
  }
};

struct AvroDecoder::Failure {
  std::string message;
};

AvroDecoder::AvroDecoder(std::shared_ptr<const AvroPlan> plan)
    : plan_(std::move(plan)), columns_(plan_->columns.size()) {
  for (size_t i = 0; i < columns_.size(); ++i) {
    const AvroColumn& column = plan_->columns[i];
    columns_[i].plan = &column;
    switch (column.store) {
      case AvroStore::kBool:
        columns_[i].width = 1;
        break;
      case AvroStore::kFixed:
        columns_[i].width = column.width;
        break;
      case AvroStore::kText:
      case AvroStore::kList:
        columns_[i].width = sizeof(int32_t);
        break;
      case AvroStore::kNull:
      case AvroStore::kStruct:
        break;
    }
  }
}

AvroDecoder::~AvroDecoder() = default;

Status AvroDecoder::Begin(BytesView rows, int64_t row_count) {
  begin_ = at_ = reinterpret_cast<const uint8_t*>(rows.data());
  end_ = begin_ + rows.size();
  rows_left_ = row_count;
  empty_items_ = 0;
  const auto size = static_cast<int64_t>(rows.size());
  const int64_t most = plan_->row_bytes_min > 0 ? size / plan_->row_bytes_min : kEmptyMax;
  if (row_count > most) {
    return Corrupt("says " + std::to_string(row_count) + " rows, but its " + std::to_string(size) +
                   " bytes hold at most " + std::to_string(most));
  }
  if (row_count == 0 && size > 0) {
    return Corrupt("says 0 rows, but has " + std::to_string(size) + " bytes");
  }
  return OkStatus();
}

int64_t AvroDecoder::BytesHeld() const {
  int64_t bytes = 0;
  for (const Column& column : columns_) bytes += column.count * column.width + column.text_size;
  return bytes;
}

Status AvroDecoder::Decode(int64_t rows_max) {
  while (rows_left_ > 0 && !full_) {
    // Few rows at a time where they are wide, so that the bytes held are looked at in time.
    const int64_t held = BytesHeld();
    const int64_t row_bytes = row_count_ == 0 ? 0 : held / row_count_;
    const int64_t step =
        row_count_ == 0 ? 64 : std::clamp<int64_t>(kBatchBytes / (row_bytes + 1) / 8, 1, 8192);
    const int64_t count = std::min({rows_left_, rows_max - row_count_, step});
    const uint8_t* p = Run(0, static_cast<int32_t>(plan_->ops.size()), 0, count, at_, end_);
    if (p == nullptr) return Corrupt(std::move(failure_->message));
    at_ = p;
    rows_left_ -= count;
    row_count_ += count;
    full_ = row_count_ >= rows_max || BytesHeld() >= kBatchBytes;
  }
  if (rows_left_ == 0 && at_ != end_) {
    return Corrupt("its rows end at byte " + std::to_string(at_ - begin_) + ", but it has " +
                   std::to_string(end_ - begin_));
  }
  return OkStatus();
}

const uint8_t* AvroDecoder::Fail(int32_t op, const uint8_t* p, std::string why) {
  if (failure_ != nullptr) return nullptr;
  std::string place;
  if (p != nullptr && p >= begin_ && p <= end_) {
    place = ", byte " + std::to_string(p - begin_);
  }
  failure_ = std::make_unique<Failure>(
      Failure{"field '" + plan_->paths[op] + "'" + place + ": " + std::move(why)});
  return nullptr;
}

const uint8_t* AvroDecoder::FailLong(int32_t op, const uint8_t* p, const char* expected) {
  return Fail(op, p, std::string("expected ") + expected + ", got a number of more than 64 bits");
}

bool AvroDecoder::Grow(Column& column, int64_t count) {
  const int64_t wanted = column.count + count;
  const int64_t capacity = std::max<int64_t>(
      wanted, std::min<int64_t>(column.capacity * 2, column.capacity + (int64_t{1} << 22)));
  const bool ends =
      column.plan->store == AvroStore::kText || column.plan->store == AvroStore::kList;
  const int64_t bytes = (capacity + (ends ? 1 : 0)) * column.width;
  const int64_t before = column.data_buffer == nullptr ? 0 : column.data_buffer->size();
  const int64_t flags = column.plan->nullable ? capacity - column.capacity : 0;
  bytes_reserved_ += bytes - before + flags;
  if (bytes_reserved_ > kColumnsBytesMax || capacity > kTextBytesMax) return false;
  if (column.width > 0) {
    if (column.data_buffer == nullptr) {
      auto made = arrow::AllocateResizableBuffer(bytes);
      if (!made.ok()) return false;
      column.data_buffer = std::move(made).ValueUnsafe();
    } else if (!column.data_buffer->Resize(bytes, /*shrink_to_fit=*/false).ok()) {
      return false;
    }
    column.data = column.data_buffer->mutable_data();
    if (ends && column.count == 0) reinterpret_cast<int32_t*>(column.data)[0] = 0;
  }
  if (column.plan->nullable) {
    std::unique_ptr<uint8_t[]> valid(new uint8_t[static_cast<size_t>(capacity)]);
    if (column.count > 0) {
      std::memcpy(valid.get(), column.valid, static_cast<size_t>(column.count));
    }
    std::memset(valid.get() + column.count, 1, static_cast<size_t>(capacity - column.count));
    column.valid_bytes = std::move(valid);
    column.valid = column.valid_bytes.get();
  }
  column.capacity = capacity;
  return true;
}

bool AvroDecoder::Reserve(int32_t level, int64_t count) {
  for (const int32_t index : plan_->levels[level]) {
    Column& column = columns_[index];
    if (column.count + count > column.capacity && !Grow(column, count)) return false;
  }
  return true;
}

bool AvroDecoder::GrowText(Column& column, int64_t bytes) {
  const int64_t wanted = column.text_size + bytes;
  const int64_t capacity = std::max<int64_t>({wanted, column.text_capacity * 2, int64_t{4} << 10});
  bytes_reserved_ += capacity - column.text_capacity;
  if (bytes_reserved_ > kColumnsBytesMax * 2 || wanted > kTextBytesMax) return false;
  if (column.text_buffer == nullptr) {
    auto made = arrow::AllocateResizableBuffer(capacity + kSlack);
    if (!made.ok()) return false;
    column.text_buffer = std::move(made).ValueUnsafe();
  } else if (!column.text_buffer->Resize(capacity + kSlack, /*shrink_to_fit=*/false).ok()) {
    return false;
  }
  column.text = column.text_buffer->mutable_data();
  column.text_capacity = capacity;
  return true;
}

// `bytes` has kSlack readable bytes behind it.
bool AvroDecoder::AppendText(Column& column, const uint8_t* bytes, int64_t size) {
  if ((column.text_size + size > column.text_capacity || column.text == nullptr) &&
      !GrowText(column, size)) {
    return false;
  }
  uint8_t* const to = column.text + column.text_size;
  if (size <= kSlack) {  // most are short: a copy of one size needs no call
    std::memcpy(to, bytes, kSlack);
  } else {
    std::memcpy(to, bytes, static_cast<size_t>(size));
  }
  column.text_size += size;
  column.PushEnd(column.text_size);
  return true;
}

bool AvroDecoder::AppendNull(int32_t index) {
  Column& column = columns_[index];
  if (column.valid != nullptr) {
    column.valid[column.count] = 0;
    ++column.nulls;
  }
  switch (column.plan->store) {
    case AvroStore::kNull:
      break;
    case AvroStore::kBool:
    case AvroStore::kFixed:
      if (column.width == 8) {
        column.Push(int64_t{0});
      } else {
        if (column.width > 0) {
          std::memset(column.data + column.count * column.width, 0,
                      static_cast<size_t>(column.width));
        }
        ++column.count;
      }
      break;
    case AvroStore::kText:
      column.PushEnd(column.text_size);
      break;
    case AvroStore::kList:
      column.PushEnd(reinterpret_cast<const int32_t*>(column.data)[column.count]);
      break;
    case AvroStore::kStruct:
      ++column.count;
      for (const int32_t child : column.plan->children) AppendNull(child);
      break;
  }
  return true;
}

const uint8_t* AvroDecoder::RunList(const AvroOp& op, int32_t at, const uint8_t* p,
                                    const uint8_t* bytes_end) {
  int64_t items =
      reinterpret_cast<const int32_t*>(columns_[op.column].data)[columns_[op.column].count];
  while (true) {
    int64_t count = 0;
    const uint8_t* const start = p;
    p = ReadAvroLong(p, &count);
    if (p == nullptr) return FailLong(at, start, "a count of items");
    if (p > bytes_end) return Fail(at, start, "expected a count of items, got the block's end");
    if (count == 0) break;
    if (count < 0) {
      int64_t size = 0;
      const uint8_t* const size_start = p;
      p = ReadAvroLong(p, &size);
      if (p == nullptr || p > bytes_end || count == INT64_MIN || size < 0) {
        return Fail(at, size_start, "expected the size of items, got none");
      }
      count = -count;
    }
    if (op.size == 0) empty_items_ += std::min(count, kEmptyMax + 1);
    if (op.size == 0 ? empty_items_ > kEmptyMax : count > (bytes_end - p) / op.size) {
      return Fail(at, start,
                  "says " + std::to_string(count) + " items, more than the block can hold");
    }
    if (!Reserve(op.level, count)) {
      return Fail(at, start, "the items of a batch are more than can be held");
    }
    p = Run(at + 1, op.jump, -1, count, p, bytes_end);
    if (p == nullptr) return nullptr;
    items += count;
  }
  if (items > kTextBytesMax) {
    return Fail(at, p, "the items of a batch are more than can be held");
  }
  columns_[op.column].PushEnd(items);
  return p;
}

const uint8_t* AvroDecoder::SkipItems(const AvroOp& op, int32_t at, const uint8_t* p,
                                      const uint8_t* bytes_end) {
  while (true) {
    int64_t count = 0;
    const uint8_t* const start = p;
    p = ReadAvroLong(p, &count);
    if (p == nullptr) return FailLong(at, start, "a count of items");
    if (p > bytes_end) return Fail(at, start, "expected a count of items, got the block's end");
    if (count == 0) return p;
    if (count < 0) {
      int64_t size = 0;
      const uint8_t* const size_start = p;
      p = ReadAvroLong(p, &size);
      if (p == nullptr || p > bytes_end || size < 0 || size > bytes_end - p) {
        return Fail(at, size_start, "expected the size of items, got none that the block holds");
      }
      p += size;
      continue;
    }
    if (op.size == 0) {
      if (op.code == AvroCode::kSkipFixedItems) continue;
      empty_items_ += std::min(count, kEmptyMax + 1);
    }
    if (op.size == 0 ? empty_items_ > kEmptyMax : count > (bytes_end - p) / op.size) {
      return Fail(at, start,
                  "says " + std::to_string(count) + " items, more than the block can hold");
    }
    if (op.code == AvroCode::kSkipFixedItems) {
      p += count * op.size;
      continue;
    }
    p = Run(at + 1, op.jump, -1, count, p, bytes_end);
    if (p == nullptr) return nullptr;
  }
}

const uint8_t* AvroDecoder::Branch(const AvroOp& op, int32_t at, const uint8_t* p, int32_t* next) {
  int64_t branch = 0;
  const uint8_t* const start = p;
  p = ReadAvroLong(p, &branch);
  if (p == nullptr) return FailLong(at, start, "a union's branch");
  const auto& starts = plan_->branches[op.table];
  if (branch < 0 || branch >= static_cast<int64_t>(starts.size())) {
    return Fail(at, start,
                "expected one of " + std::to_string(starts.size()) + " branches, got branch " +
                    std::to_string(branch));
  }
  *next = starts[static_cast<size_t>(branch)];
  return p;
}

// One row (or item) after another through the ops from `begin` to `end`. A number may be read from
// the padding behind the block; that the block has ended is seen at the end of each op. Level -1:
// the caller has made room. Null after Fail.
const uint8_t* AvroDecoder::Run(int32_t begin, int32_t end, int32_t level, int64_t count,
                                const uint8_t* p, const uint8_t* bytes_end) {
  if (level >= 0 && !Reserve(level, count)) {
    return Fail(0, p, "the rows of a batch are more than can be held");
  }
  const AvroOp* const ops = plan_->ops.data();
  Column* const columns = columns_.data();
  for (int64_t row = 0; row < count; ++row) {
    int32_t at = begin;
    while (at < end) {
      const AvroOp& op = ops[at];
      const uint8_t* const start = p;
      if (op.null_byte != AvroOp::kNever) {
        const uint8_t branch = *p++;
        if (branch == op.null_byte) {
          if (p > bytes_end)
            return Fail(at, start, "expected a union's branch, got the block's end");
          if (op.column >= 0) AppendNull(op.column);
          at = op.jump;
          continue;
        }
        if (branch != op.value_byte) {
          int64_t number = 0;
          p = ReadAvroLong(start, &number);
          if (p == nullptr) return FailLong(at, start, "a union's branch");
          if (number != 0 && number != 1) {
            return Fail(at, start,
                        "expected one of 2 branches, got branch " + std::to_string(number));
          }
          if (number * 2 == op.null_byte) {
            if (op.column >= 0) AppendNull(op.column);
            at = op.jump;
            continue;
          }
        }
      }
      int32_t next = at + 1;
      int64_t number = 0;
      switch (op.code) {
        case AvroCode::kSkipLongs:
          for (int32_t i = 0; i < op.size; ++i) {
            p = ReadAvroLong(p, &number);
            if (p == nullptr) return FailLong(at, start, "an int or long");
            if (p > bytes_end) break;
          }
          break;
        case AvroCode::kSkipBytes:
          if (op.size > bytes_end - p) {
            return Fail(at, start,
                        "expected " + std::to_string(op.size) + " bytes, got the block's end");
          }
          p += op.size;
          break;
        case AvroCode::kSkipText:
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "a length");
          if (number < 0 || number > bytes_end - p) {
            return Fail(at, start,
                        "expected a length within the block, got " + std::to_string(number));
          }
          p += number;
          break;
        case AvroCode::kSkipFixedItems:
        case AvroCode::kSkipItems:
          p = SkipItems(op, at, p, bytes_end);
          if (p == nullptr) return nullptr;
          if (op.code == AvroCode::kSkipItems) next = op.jump;
          break;
        case AvroCode::kNull:
          AppendNull(op.column);
          break;
        case AvroCode::kBool:
          if (*p > 1) {
            return Fail(at, start, "expected boolean, got byte " + std::to_string(*p));
          }
          columns[op.column].Push(*p++);
          break;
        case AvroCode::kInt:
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "int");
          if (number != static_cast<int32_t>(number)) {
            return Fail(at, start, "expected int, got " + std::to_string(number));
          }
          columns[op.column].Push(static_cast<int32_t>(number));
          break;
        case AvroCode::kLong:
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "long");
          columns[op.column].Push(number);
          break;
        case AvroCode::kLongTimes: {
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "long");
          int64_t times = 0;
          if (__builtin_mul_overflow(number, op.factor, &times)) {
            return Fail(at, start, "expected a time within range, got " + std::to_string(number));
          }
          columns[op.column].Push(times);
          break;
        }
        case AvroCode::kTime32:
        case AvroCode::kTime64: {
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "a time");
          const int64_t units_of_day = int64_t{86'400} * op.size / op.factor;
          if (number < 0 || number >= units_of_day) {
            return Fail(at, start, "expected a time of day, got " + std::to_string(number));
          }
          if (op.code == AvroCode::kTime32) {
            columns[op.column].Push(static_cast<int32_t>(number));
          } else {
            columns[op.column].Push(number * op.factor);
          }
          break;
        }
        case AvroCode::kLongFloat:
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "a number");
          columns[op.column].Push(static_cast<float>(number));
          break;
        case AvroCode::kLongDouble:
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "a number");
          columns[op.column].Push(static_cast<double>(number));
          break;
        case AvroCode::kFloat:
          columns[op.column].Push(ReadRaw<uint32_t>(p));
          p += 4;
          break;
        case AvroCode::kDouble:
          columns[op.column].Push(ReadRaw<uint64_t>(p));
          p += 8;
          break;
        case AvroCode::kFloatDouble:
          columns[op.column].Push(static_cast<double>(ReadRaw<float>(p)));
          p += 4;
          break;
        case AvroCode::kText:
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "a length");
          if (number < 0 || number > bytes_end - p) {
            return Fail(at, start,
                        "expected a length within the block, got " + std::to_string(number));
          }
          if (!AppendText(columns[op.column], p, number)) {
            return Fail(at, start, "the text of a batch is more than can be held");
          }
          p += number;
          break;
        case AvroCode::kFixed: {
          if (op.size > bytes_end - p) {
            return Fail(at, start,
                        "expected " + std::to_string(op.size) + " bytes, got the block's end");
          }
          Column& column = columns[op.column];
          if (op.size > 0) {
            std::memcpy(column.data + column.count * op.size, p, static_cast<size_t>(op.size));
          }
          ++column.count;
          p += op.size;
          break;
        }
        case AvroCode::kDecimalText:
        case AvroCode::kDecimalFixed: {
          int32_t precision = op.table;
          number = op.size;
          if (op.code == AvroCode::kDecimalText) {
            precision = op.size;
            p = ReadAvroLong(p, &number);
            if (p == nullptr) return FailLong(at, start, "a length");
          }
          if (number < 0 || number > bytes_end - p) {
            return Fail(
                at, start,
                "expected " + std::to_string(number) + " bytes of a decimal, got the block's end");
          }
          Int128 value = 0;
          if (!ReadBigEndian(p, number, &value) || value >= kPowersOfTen[precision] ||
              value <= -kPowersOfTen[precision]) {
            return Fail(at, start,
                        "expected a decimal of " + std::to_string(precision) +
                            " digits, got a larger number");
          }
          columns[op.column].Push(value);
          p += number;
          break;
        }
        case AvroCode::kEnum: {
          p = ReadAvroLong(p, &number);
          if (p == nullptr) return FailLong(at, start, "a symbol");
          const auto& symbols = plan_->symbols[op.table];
          if (number < 0 || number >= static_cast<int64_t>(symbols.size())) {
            return Fail(at, start,
                        "expected one of " + std::to_string(symbols.size()) +
                            " symbols, got symbol " + std::to_string(number));
          }
          const std::string& symbol = symbols[static_cast<size_t>(number)];
          if (symbol.empty()) {
            return Fail(at, start,
                        "symbol " + std::to_string(number) +
                            " is none of the reader's, which has no default");
          }
          Column& column = columns[op.column];
          const auto size = static_cast<int64_t>(symbol.size());
          if (column.text_size + size > column.text_capacity && !GrowText(column, size)) {
            return Fail(at, start, "the text of a batch is more than can be held");
          }
          std::memcpy(column.text + column.text_size, symbol.data(), symbol.size());
          column.text_size += size;
          column.PushEnd(column.text_size);
          break;
        }
        case AvroCode::kDefault: {
          const auto* bytes = reinterpret_cast<const uint8_t*>(plan_->defaults[op.table].data());
          if (Run(next, op.jump, -1, 1, bytes, bytes + op.size) == nullptr) return nullptr;
          next = op.jump;
          break;
        }
        case AvroCode::kList:
          p = RunList(op, at, p, bytes_end);
          if (p == nullptr) return nullptr;
          next = op.jump;
          break;
        case AvroCode::kStruct:
          if (op.column >= 0) ++columns[op.column].count;
          break;
        case AvroCode::kBranch:
          p = Branch(op, at, p, &next);
          if (p == nullptr) return nullptr;
          break;
        case AvroCode::kJump:
          next = op.jump;
          break;
        case AvroCode::kFail:
          return Fail(at, start, plan_->failures[op.table]);
      }
      if (p > bytes_end) return Fail(at, start, "expected a value, got the block's end");
      at = next;
    }
  }
  return p;
}

Result<std::shared_ptr<arrow::RecordBatch>> AvroDecoder::Finish() {
  std::vector<std::shared_ptr<arrow::ArrayData>> arrays;
  arrays.reserve(plan_->roots.size());
  for (const int32_t root : plan_->roots) {
    TARN_ASSIGN_OR_RETURN(auto array, FinishColumn(root, row_count_));
    arrays.push_back(std::move(array));
  }
  auto batch = arrow::RecordBatch::Make(plan_->schema, row_count_, std::move(arrays));
  row_count_ = 0;
  bytes_reserved_ = 0;
  full_ = false;
  return batch;
}

namespace {

// Bytes of 0 and 1 as a bitmap.
Result<std::shared_ptr<arrow::Buffer>> PackBits(const uint8_t* bytes, int64_t count) {
  TARN_ASSIGN_OR_RETURN(std::shared_ptr<arrow::Buffer> bits,
                        Lift(arrow::AllocateBuffer((count + 7) / 8), kInAvroDecoder));
  uint8_t* const out = bits->mutable_data();
  int64_t i = 0;
  for (; i + 8 <= count; i += 8) {
    // Gathers the lowest bits of eight bytes in the highest byte of the product.
    out[i / 8] = static_cast<uint8_t>((ReadRaw<uint64_t>(bytes + i) * 0x0102040810204080ULL) >> 56);
  }
  if (i < count) {
    uint8_t last = 0;
    for (int bit = 0; i + bit < count; ++bit) last |= static_cast<uint8_t>(bytes[i + bit] << bit);
    out[i / 8] = last;
  }
  return bits;
}

}  // namespace

Result<std::shared_ptr<arrow::ArrayData>> AvroDecoder::FinishText(
    const AvroColumn& plan, Column& column, std::shared_ptr<arrow::Buffer> validity,
    int64_t nulls) {
  const auto* ends = reinterpret_cast<const int32_t*>(column.data);
  if (plan.utf8 && column.text_size > 0 && !AreUtf8(column.text, ends, column.count)) {
    return Corrupt("field '" + plan.path + "': expected text in UTF-8, got other bytes");
  }
  std::shared_ptr<arrow::Buffer> text = column.text_buffer;
  if (column.text_buffer != nullptr) {
    TARN_RETURN_IF_ERROR(Lift(column.text_buffer->Resize(column.text_size), kInAvroDecoder));
  } else {
    TARN_ASSIGN_OR_RETURN(text, Lift(arrow::AllocateBuffer(0), kInAvroDecoder));
  }
  return arrow::ArrayData::Make(plan.field->type(), column.count,
                                {std::move(validity), column.data_buffer, std::move(text)}, nulls);
}

Result<std::shared_ptr<arrow::ArrayData>> AvroDecoder::FinishColumn(int32_t index, int64_t length) {
  Column& column = columns_[index];
  const AvroColumn& plan = *column.plan;
  const auto& type = plan.field->type();
  if (plan.store == AvroStore::kNull) {
    return arrow::ArrayData::Make(type, length, {nullptr}, length);
  }
  if (column.capacity == 0 && !Grow(column, 1)) return Internal("avro: no memory");
  std::shared_ptr<arrow::Buffer> validity;
  if (column.nulls > 0) {
    TARN_ASSIGN_OR_RETURN(validity, PackBits(column.valid, length));
  }
  const int64_t nulls = column.nulls;
  // Structs that are always there are not counted row by row.
  column.count = length;
  std::shared_ptr<arrow::ArrayData> data;
  switch (plan.store) {
    case AvroStore::kNull:
      break;
    case AvroStore::kBool: {
      TARN_ASSIGN_OR_RETURN(auto bits, PackBits(column.data, length));
      data = arrow::ArrayData::Make(type, length, {std::move(validity), std::move(bits)}, nulls);
      break;
    }
    case AvroStore::kFixed: {
      std::shared_ptr<arrow::Buffer> values = column.data_buffer;
      if (column.data_buffer != nullptr) {
        TARN_RETURN_IF_ERROR(
            Lift(column.data_buffer->Resize(length * column.width), kInAvroDecoder));
      } else {  // of no bytes each
        TARN_ASSIGN_OR_RETURN(values, Lift(arrow::AllocateBuffer(0), kInAvroDecoder));
      }
      data = arrow::ArrayData::Make(type, length, {std::move(validity), std::move(values)}, nulls);
      break;
    }
    case AvroStore::kText: {
      TARN_ASSIGN_OR_RETURN(data, FinishText(plan, column, std::move(validity), nulls));
      break;
    }
    case AvroStore::kList: {
      const int64_t items = reinterpret_cast<const int32_t*>(column.data)[length];
      std::vector<std::shared_ptr<arrow::ArrayData>> children;
      for (const int32_t child : plan.children) {
        TARN_ASSIGN_OR_RETURN(auto array, FinishColumn(child, items));
        children.push_back(std::move(array));
      }
      if (type->id() == arrow::Type::MAP) {
        if (children[0]->GetNullCount() > 0) {
          return Corrupt("field '" + plan.path + "': a map with a key that is null");
        }
        children = {arrow::ArrayData::Make(type->field(0)->type(), items, {nullptr},
                                           std::move(children), 0)};
      }
      data = arrow::ArrayData::Make(type, length, {std::move(validity), column.data_buffer},
                                    std::move(children), nulls);
      break;
    }
    case AvroStore::kStruct: {
      std::vector<std::shared_ptr<arrow::ArrayData>> children;
      children.reserve(plan.children.size());
      for (const int32_t child : plan.children) {
        TARN_ASSIGN_OR_RETURN(auto array, FinishColumn(child, length));
        children.push_back(std::move(array));
      }
      data =
          arrow::ArrayData::Make(type, length, {std::move(validity)}, std::move(children), nulls);
      break;
    }
  }
  Column fresh;
  fresh.plan = column.plan;
  fresh.width = column.width;
  column = std::move(fresh);
  return data;
}

}  // namespace tarn
