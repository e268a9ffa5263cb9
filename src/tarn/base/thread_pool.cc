#include <algorithm>
#include <condition_variable>
#include <deque>
#include <thread>
#include <vector>

#include "tarn/base/runtime.h"

namespace tarn {
namespace {

// One ParallelFor under way. Guarded by the pool's mutex but for the hand-out of indices.
struct Loop {
  Loop(int64_t count_in, const std::function<Status(int64_t)>& work_in)
      : count(count_in), work(work_in) {}

  const int64_t count;
  const std::function<Status(int64_t)>& work;
  std::atomic<int64_t> next{0};
  int helpers = 0;  // pool threads inside Run
  std::mutex error_mutex;
  int64_t error_index = -1;
  Status error;

  bool exhausted() const { return next.load(std::memory_order_relaxed) >= count; }

  void Run() {
    for (;;) {
      const int64_t index = next.fetch_add(1);
      if (index >= count) return;
      Status status = work(index);
      if (status.ok()) continue;
      next.store(count);  // nothing further is started
      const std::lock_guard lock(error_mutex);
      if (error_index < 0 || index < error_index) {
        error_index = index;
        error = std::move(status);
      }
    }
  }
};

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads) : threads_(std::max(1, threads)) {
    // The caller of ParallelFor works too, so one thread fewer is started.
    for (int i = 1; i < threads_; ++i) workers_.emplace_back([this] { Work(); });
  }

  ~ThreadPool() override {
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  int threads() const override { return threads_; }

  Status ParallelFor(int64_t count, const std::function<Status(int64_t)>& work) override {
    Loop loop(count, work);
    const bool shared = count > 1 && !workers_.empty();
    if (shared) {
      const std::lock_guard lock(mutex_);
      loops_.push_back(&loop);
    }
    if (shared) wake_.notify_all();
    loop.Run();
    if (shared) {
      std::unique_lock lock(mutex_);
      std::erase(loops_, &loop);  // nobody joins from now on
      done_.wait(lock, [&] { return loop.helpers == 0; });
    }
    return std::move(loop.error);
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      Loop* loop = nullptr;
      wake_.wait(lock, [&] { return stopping_ || (loop = NewestOpenLoop()) != nullptr; });
      if (loop == nullptr) return;
      ++loop->helpers;
      lock.unlock();
      loop->Run();
      lock.lock();
      --loop->helpers;
      done_.notify_all();
    }
  }

  // The newest first: inner loops end before outer ones can.
  Loop* NewestOpenLoop() {
    for (auto loop = loops_.rbegin(); loop != loops_.rend(); ++loop) {
      if (!(*loop)->exhausted()) return *loop;
    }
    return nullptr;
  }

  const int threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable done_;
  bool stopping_ = false;
  std::vector<Loop*> loops_;
  std::vector<std::thread> workers_;
};

class InlineExecutor final : public Executor {
 public:
  int threads() const override { return 1; }
  Status ParallelFor(int64_t count, const std::function<Status(int64_t)>& work) override {
    for (int64_t index = 0; index < count; ++index) TARN_RETURN_IF_ERROR(work(index));
    return OkStatus();
  }
};

}  // namespace

std::unique_ptr<Executor> MakeThreadPool(int threads) {
  return std::make_unique<ThreadPool>(threads);
}

std::unique_ptr<Executor> MakeInlineExecutor() { return std::make_unique<InlineExecutor>(); }

}  // namespace tarn
