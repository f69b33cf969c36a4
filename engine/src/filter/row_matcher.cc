#include "filter/row_matcher.h"

#include <algorithm>
#include <cstddef>
#include <memory_resource>
#include <vector>

#include "filter/slice_hash.h"

namespace lamina::filter {
namespace {

bool holds(const FieldTest& field, Subject* subject) {
  constexpr std::size_t kScratchBytes = 4096;
  std::byte scratch[kScratchBytes];
  std::pmr::monotonic_buffer_resource memory(scratch, kScratchBytes);
  return field.test.holds(read_cell(field.path, subject->root(), &memory));
}

bool holds(const IdTest& test, Subject* subject) {
  return subject->id() != nullptr && test.ids.contains(*subject->id());
}

bool holds(const SliceTest& test, Subject* subject) {
  return subject->id() != nullptr &&
         slice_hash(*subject->id()) % test.total == test.index;
}

bool holds(const PredicateTest& test, Subject* subject) {
  return subject->id() != nullptr &&
         (*test.function)(*subject->id(), *subject->payload());
}

bool holds(const NestedTest& test, Subject* subject) {
  std::vector<JsonValue> elements;
  test.elements.collect(subject->root(), &elements);
  return std::any_of(elements.begin(), elements.end(),
                     [&](const JsonValue& element) {
                       if (element.kind() != JsonKind::object) return false;
                       Subject inner(element);
                       return matches(*test.filter, &inner);
                     });
}

bool holds(const GroupTest& test, Subject* subject) {
  return matches(*test.filter, subject);
}

bool has_enough(const CompiledFilter& filter, Subject* subject) {
  std::uint64_t missing = filter.min_count;
  for (const CompiledCondition& condition : filter.min_should) {
    if (missing == 0) return true;
    if (matches(condition, subject)) --missing;
  }
  return missing == 0;
}

}  // namespace

const JsonValue& Subject::root() {
  if (!root_) {
    // Payloads are checked when they come in.
    document_.emplace(JsonDocument::parse(payload_->json()).value());
    root_ = document_->root();
  }
  return *root_;
}

bool matches(const CompiledCondition& condition, Subject* subject) {
  return std::visit([&](const auto& test) { return holds(test, subject); },
                    condition);
}

bool matches(const CompiledFilter& filter, Subject* subject) {
  const auto match = [&](const CompiledCondition& condition) {
    return matches(condition, subject);
  };
  const auto& should = filter.should;
  return std::all_of(filter.must.begin(), filter.must.end(), match) &&
         std::none_of(filter.must_not.begin(), filter.must_not.end(), match) &&
         (should.empty() || std::any_of(should.begin(), should.end(), match)) &&
         has_enough(filter, subject);
}

}  // namespace lamina::filter
