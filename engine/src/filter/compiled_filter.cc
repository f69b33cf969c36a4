#include "filter/compiled_filter.h"

#include <utility>

namespace lamina::filter {
namespace {

std::unique_ptr<const CompiledFilter> compile_inner(const Filter& filter) {
  return std::make_unique<const CompiledFilter>(compile(filter));
}

struct CompileCondition {
  CompiledCondition operator()(const where::HasId& condition) const {
    return IdTest{{condition.ids.begin(), condition.ids.end()}};
  }
  CompiledCondition operator()(const where::Slice& condition) const {
    return SliceTest{condition.total, condition.index};
  }
  CompiledCondition operator()(const where::Predicate& condition) const {
    return PredicateTest{condition.function.get()};
  }
  CompiledCondition operator()(const where::Nested& condition) const {
    JsonPath path = JsonPath::parse(condition.key).value();
    const bool of_elements =
        path.steps().back().kind == JsonPath::StepKind::every_element;
    return NestedTest{of_elements ? std::move(path) : path.of_elements(),
                      compile_inner(condition.filter)};
  }
  CompiledCondition operator()(const Filter& filter) const {
    return GroupTest{compile_inner(filter)};
  }
  template <class FieldCondition>
  CompiledCondition operator()(const FieldCondition& condition) const {
    return FieldTest{JsonPath::parse(condition.key).value(),
                     CellTest(condition)};
  }
};

std::vector<CompiledCondition> compile_all(
    const std::vector<where::Condition>& conditions) {
  std::vector<CompiledCondition> compiled;
  compiled.reserve(conditions.size());
  for (const where::Condition& condition : conditions) {
    compiled.push_back(std::visit(CompileCondition(), condition.any));
  }
  return compiled;
}

}  // namespace

CompiledFilter compile(const Filter& filter) {
  const Filter::Clauses& clauses = filter.clauses();
  CompiledFilter compiled{.must = compile_all(clauses.must),
                          .should = compile_all(clauses.should),
                          .must_not = compile_all(clauses.must_not),
                          .min_count = 0,
                          .min_should = {}};
  if (clauses.min_should.has_value()) {
    compiled.min_count = clauses.min_should->min_count;
    compiled.min_should = compile_all(clauses.min_should->conditions);
  }
  return compiled;
}

}  // namespace lamina::filter
