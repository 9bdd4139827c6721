import type { Span } from '@postil/contract/answer-value.ts'
import type { TraceStep } from '@postil/contract/trace.ts'
import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import type { Suggested } from './define.ts'
import { scoreOf } from './langfuse.ts'
import { annotationOf } from './phoenix.ts'
import type { Result } from './trace-values.ts'
import { isFilled, isObjects, textIn } from './values.ts'

/** The ID of the step that a score of Langfuse is about. Undefined for a score of the whole trace. */
export const scoredStep = (score: JsonObject): string | undefined => textIn(score['observationId'] ?? score['observation_id'])

/** Keys that only repeat the project, trace or step to which a score belongs. */
const PLACES = ['observationId', 'observation_id', 'traceId', 'trace_id', 'projectId', 'project_id']
const withoutPlace = (score: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(score).filter(([key, value]) => !PLACES.includes(key) && isFilled(value)))

/** Adds scores of single steps to the details of the steps. `missing`: the number of scores whose step isn't in the trace. */
export const withScores = (
  steps: readonly TraceStep[],
  scores: readonly JsonObject[],
): { readonly steps: readonly TraceStep[]; readonly missing: number } => {
  const byStep = Map.groupBy(scores, scoredStep)
  const ids = new Set(steps.map(({ id }) => id))
  return {
    steps: steps.map((step) => {
      const own = byStep.get(step.id)
      const before = step.attributes?.['scores']
      if (own === undefined) return step
      const all = [...(isObjects(before) ? before : []), ...own.map(withoutPlace)]
      return { ...step, attributes: { ...step.attributes, scores: all } }
    }),
    missing: scores.filter((score) => !ids.has(scoredStep(score) ?? '')).length,
  }
}

/** The label that a result gives to a step. Undefined for decimal numbers and text, which stay in the details of the step. */
const labelOf = ({ value, labels }: Suggested): string | undefined => (labels.length > 0 ? String(value) : undefined)

const objectsIn = (step: TraceStep, key: string): readonly JsonObject[] => {
  const value: unknown = step.attributes?.[key]
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

const resultsOf = (step: TraceStep): readonly Result[] => [
  ...objectsIn(step, 'scores').flatMap((one) => scoreOf(one) ?? []),
  ...objectsIn(step, 'annotations').flatMap((one) => annotationOf(one) ?? []),
]

/** Appended to the name of a step's score, because the whole trace may have a score with the same name. */
const SUFFIX = ' (steps)'

/**
 * Returns the scores of steps as labels of the steps. There is one result for each name and person. If a person gave a step
 * several scores with the same name, the last score is used.
 * @param field the field with the trace
 */
export const stepResults = (steps: readonly TraceStep[], field: string): readonly Result[] => {
  const found = steps.flatMap((step, index) =>
    resultsOf(step).flatMap((result) => {
      const label = labelOf(result.question[1])
      return label === undefined ? [] : [{ index, step, label, result }]
    }),
  )
  const groups = Map.groupBy(found, ({ result: { person, question } }) => JSON.stringify([person, question[0]]))
  return [...groups.values()].flatMap((group): readonly Result[] => {
    const [first] = group
    if (first === undefined) return []
    const { person, question } = first.result
    const labels = new Map(group.map(({ index, label }) => [index, label]))
    const value = [...labels].map(([index, label]): Span => ({ label, start: index, end: index + 1 }))
    const remarks = group.flatMap(({ step, result: { remark } }) => (remark === undefined ? [] : [`${step.name}: ${remark}`]))
    const options = new Set(group.flatMap(({ result }) => result.question[1].labels))
    const times = group.flatMap(({ result }) => result.times ?? [])
    return [
      {
        person,
        question: [`${question[0]}${SUFFIX}`, { kind: 'turns', value, labels: [...options], agent: question[1].agent, field }],
        ...(times.length > 0 && {
          times: {
            inserted_at: Math.min(...times.map((one) => one.inserted_at)),
            updated_at: Math.max(...times.map((one) => one.updated_at)),
          },
        }),
        ...(remarks.length > 0 && { remark: remarks.join('\n') }),
      },
    ]
  })
}
