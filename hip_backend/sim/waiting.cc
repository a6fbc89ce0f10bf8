// Counting outstanding accesses. The counters' sizes are the ISA manual's for GFX9: 6 bits of vmcnt, 4 of lgkmcnt.
#include "sim/waiting.h"

#include <algorithm>

#include "sim/access_log.h"
#include "sim/lds_memory.h"
#include "sim/opcode.h"

namespace adahop::hip::sim {
namespace {

constexpr size_t kMaxVm = 63, kMaxLgkm = 15;

// Of the destinations of an access, adds `by` to the loads under way.
void count_destinations(wave& w, const instruction& i, int by) {
  for (unsigned n = 0; n < i.write_count; ++n) {
    const register_range& r = i.writes[n];
    for (unsigned k = 0; k < r.width; ++k) {
      uint16_t& count = r.kind == operand_kind::vector ? w.vgpr_pending[r.reg + k] : w.sgpr_pending[r.reg + k];
      count = static_cast<uint16_t>(count + by);
    }
  }
}

void finish(wave& w, const pending_access& p) {
  count_destinations(w, *p.by, -1);
  if (p.lds_ticket != 0) {
    recorded_access& a = w.log->at(p.lds_ticket);
    if (a.kind == recorded_kind::lds_arrival) w.group->lds->arrive(w, a);
    w.log->drop(p.lds_ticket);
  }
}

void finish_oldest(wave& w, std::deque<pending_access>& queue) {
  const pending_access p = queue.front();
  queue.pop_front();
  finish(w, p);
}

// LDS comes back in order, so with at most `most` accesses outstanding all but the last `most` of LDS are done; which
// SMEM loads are, only 0 tells.
void wait_lgkm(wave& w, size_t most) {
  std::deque<pending_access>& queue = w.lgkm_pending;
  if (most == 0) {
    while (!queue.empty()) finish_oldest(w, queue);
    return;
  }
  auto in_order = static_cast<size_t>(
      std::count_if(queue.begin(), queue.end(), [](const pending_access& p) { return !p.out_of_order; }));
  for (auto p = queue.begin(); in_order > most && p != queue.end();) {
    if (p->out_of_order) {
      ++p;
      continue;
    }
    const pending_access done = *p;
    p = queue.erase(p);
    finish(w, done);
    --in_order;
  }
}

}  // namespace

access_log& log_of(wave& w) {
  if (w.log == nullptr) w.log = std::make_shared<access_log>();
  if (w.vm_pending.empty() && w.lgkm_pending.empty()) w.log->clear();
  return *w.log;
}

void begin_access(wave& w, const instruction& i, uint32_t lds_ticket) {
  const checks& check = w.group->settings->check;
  if (!check.pending && !check.races) return;
  const pending_access p{&i, (i.op->flags & kScalarLoad) != 0, lds_ticket};
  if ((i.op->flags & kVmCounter) != 0) {
    if (w.vm_pending.size() == kMaxVm) finish_oldest(w, w.vm_pending);
    w.vm_pending.push_back(p);
  } else {
    if (w.lgkm_pending.size() >= kMaxLgkm) wait_lgkm(w, kMaxLgkm - 1);
    w.lgkm_pending.push_back(p);
  }
  count_destinations(w, i, 1);
}

void wait_for(wave& w, uint8_t vm, uint8_t lgkm) {
  if (vm != kNoWait)
    while (w.vm_pending.size() > vm) finish_oldest(w, w.vm_pending);
  if (lgkm != kNoWait && w.lgkm_pending.size() > lgkm) wait_lgkm(w, lgkm);
}

void pass_barrier(workgroup& group) {
  const uint32_t epoch = group.epoch + 1;
  if (group.lds != nullptr) group.lds->begin_epoch(epoch);
  for (const auto& w : group.waves)
    for (const auto* queue : {&w->vm_pending, &w->lgkm_pending})
      for (const pending_access& p : *queue)
        if (p.lds_ticket != 0) group.lds->restamp(*w, w->log->at(p.lds_ticket), epoch);
  group.epoch = epoch;
}

}  // namespace adahop::hip::sim
