import type { AnnotationQuery } from '@postil/contract/annotation-query/grammar.ts'

/** The names that a dataset contains. */
export type Names = {
  readonly fields: ReadonlySet<string>
  readonly questions: ReadonlySet<string>
  readonly metadata: ReadonlySet<string>
  readonly vectors: ReadonlySet<string>
}

type Part = { readonly name: string }

/** Returns the parts of a query that refer to names that aren't in the dataset. Also returns the query without those parts. */
export const unknownParts = (
  query: AnnotationQuery,
  { fields, questions, metadata, vectors }: Names,
): { readonly names: readonly string[]; readonly without: AnnotationQuery } => {
  const names = new Set<string>()
  const known = <P extends Part>(parts: readonly P[], has: (part: P) => boolean): readonly P[] =>
    parts.filter((part) => {
      if (!has(part)) names.add(part.name)
      return has(part)
    })
  const sorted = { record: null, metadata, suggestion: questions, response: questions }
  const { search, similarity } = query
  const hasField = search === null || search.field === null || fields.has(search.field)
  if (search?.field && !hasField) names.add(search.field)
  if (similarity && !vectors.has(similarity.vector)) names.add(similarity.vector)
  const without = {
    ...query,
    search: hasField ? search : null,
    metadata: known(query.metadata, ({ name }) => metadata.has(name)),
    response: known(query.response, ({ name }) => questions.has(name)),
    suggestion: known(query.suggestion, ({ name }) => questions.has(name)),
    sort: known(query.sort, ({ entity, name }) => sorted[entity]?.has(name) ?? true),
    similarity: similarity && vectors.has(similarity.vector) ? similarity : null,
  }
  return { names: [...names], without }
}
