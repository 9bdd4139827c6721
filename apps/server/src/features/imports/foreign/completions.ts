import { isJsonObject, type JsonObject } from '@postil/contract/wire/json.ts'
import { message } from '@postil/contract/wire/message.ts'
import { fieldOf, idIn } from './chats.ts'
import type { ForeignReader, Item, Part, Question, Values } from './define.ts'
import { isFilled, isObjects, restOf, textIn } from './values.ts'

type LeftOut = NonNullable<Item['leftOut']>[number]

/** Maximum number of completions that become fields. A larger number doesn't fit on a screen. */
const MAX_COMPLETIONS = 20

const numberIn = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/** The ratings of a completion by aspect, such as helpfulness. */
const aspectsOf = ({ annotations }: JsonObject): ReadonlyMap<string, number> => {
  const found = Object.entries(isJsonObject(annotations) ? annotations : {}).flatMap(([aspect, value]) => {
    // An aspect can have several ratings. The first one rates the aspect itself.
    const one = Array.isArray(value) ? value[0] : value
    const rating = isJsonObject(one) ? numberIn(one['Rating'] ?? one['rating']) : numberIn(one)
    return rating === undefined ? [] : [[aspect, rating] as const]
  })
  return new Map(found)
}

const meanOf = (numbers: readonly number[]): number | undefined =>
  numbers.length === 0 ? undefined : numbers.reduce((sum, one) => sum + one, 0) / numbers.length

/** How good a completion is: the mean of its ratings, or its score. */
const scoreOf = (completion: JsonObject): number | undefined =>
  meanOf([...aspectsOf(completion).values()]) ??
  numberIn(completion['overall_score'] ?? completion['score'] ?? completion['rating'] ?? completion['fine-grained_score'])

const rankingOf = (names: readonly string[], scores: readonly (number | undefined)[]): readonly Question[] => {
  if (names.length < 2 || scores.some((score) => score === undefined)) return []
  const value = names
    .map((name, i) => ({ value: name, score: scores[i] ?? 0 }))
    .toSorted((a, b) => b.score - a.score)
    .map((one, _, all) => ({ value: one.value, rank: 1 + all.findIndex(({ score }) => score === one.score) }))
  return [['ranking', { kind: 'ranking', value, labels: names }]]
}

const isScale = (rating: number | undefined): rating is number =>
  rating !== undefined && Number.isInteger(rating) && rating >= 0 && rating <= 10

const scaleTo = (rating: number): readonly string[] =>
  Array.from({ length: Math.max(5, rating) + (rating === 0 ? 1 : 0) }, (_, i) => String(i + (rating === 0 ? 0 : 1)))

const textOf = ({ response, text, completion, content }: JsonObject): unknown => response ?? text ?? completion ?? content

const KNOWN = ['model', 'response', 'text', 'completion', 'content', 'annotations', 'overall_score', 'score', 'rating']

const readCompletions: ForeignReader['read'] = (row) => {
  const list = row.get('completions')
  const promptName = ['instruction', 'prompt', 'question'].find((name) => fieldOf(row.get(name)) !== null)
  if (promptName === undefined) return { fault: message('partMissing', { part: 'instruction' }) }
  if (
    !isObjects(list) ||
    list.length === 0 ||
    list.length > MAX_COMPLETIONS ||
    !list.every((one) => fieldOf(textOf(one)) !== null)
  )
    return { fault: message('partMissing', { part: 'completions' }) }
  const names = list.map((_, i) => `response_${i + 1}`)
  const aspects = list.map(aspectsOf)
  const allAspects = new Set(aspects.flatMap((one) => [...one.keys()]))
  const [only] = allAspects
  const asQuestions = allAspects.size === 1 && aspects.every((one) => one.size === 0 || isScale(one.get(only ?? '')))
  const ratings = names.flatMap((name, i): readonly Question[] => {
    const rating = asQuestions ? aspects[i]?.get(only ?? '') : undefined
    return rating === undefined ? [] : [[`${name}_${only}`, { kind: 'rating', value: rating, labels: scaleTo(rating) }]]
  })
  const metadata = names.flatMap((name, i): readonly Part[] => {
    const { model } = list[i] ?? {}
    const rated = asQuestions ? [] : [...(aspects[i] ?? [])].map(([aspect, rating]) => [`${name}_${aspect}`, rating] as const)
    return [...(textIn(model) === undefined ? [] : [[`${name}_model`, model] as const]), ...rated]
  })
  const others = new Set(list.flatMap((one) => Object.keys(one).filter((key) => !KNOWN.includes(key) && isFilled(one[key]))))
  const details = list.some(({ annotations }) =>
    Object.values(isJsonObject(annotations) ? annotations : {}).some((one) => isJsonObject(one) && Object.keys(one).length > 1),
  )
  const leftOut: readonly LeftOut[] = [
    ...[...others].map((key) => ({ part: `completions.${key}`, reason: 'unsupported' as const })),
    ...(details ? [{ part: 'completions.annotations: texts', reason: 'unsupported' as const }] : []),
  ]
  const system = fieldOf(row.get('system'))
  const prompt = fieldOf(row.get(promptName))
  return {
    ...idIn(row),
    fields: [
      ...(system === null ? [] : [['system', ...system] as const]),
      ...(prompt === null ? [] : [[promptName, ...prompt] as const]),
      ...list.flatMap((one, i) => {
        const field = fieldOf(textOf(one))
        return field === null ? [] : [[names[i] ?? '', ...field] as const]
      }),
    ],
    questions: [...rankingOf(names, list.map(scoreOf)), ...ratings],
    metadata,
    data: restOf(row, ['id', 'system', promptName, 'completions', 'models']),
    leftOut,
  }
}

/** Rated completions, several for each instruction, as in UltraFeedback. */
export const completions: ForeignReader = {
  format: 'completions',
  recognizes: (rows) =>
    rows.every((row) => {
      const list = row.get('completions')
      return isObjects(list) && list.length > 0 && list.every((one) => fieldOf(textOf(one)) !== null)
    }),
  read: readCompletions,
}

const VERDICTS: { readonly [text: string]: string } = { true: 'true', false: 'false', '1': 'true', '0': 'false' }
const verdictIn = (value: unknown): string | undefined =>
  isFilled(value) ? VERDICTS[String(value).trim().toLowerCase()] : undefined

/** Completions that are labeled as good or bad. KTO, a training method, uses such data. */
export const kto: ForeignReader = {
  format: 'kto',
  recognizes: (rows) =>
    rows.every(
      (row) =>
        fieldOf(row.get('prompt')) !== null &&
        fieldOf(row.get('completion')) !== null &&
        verdictIn(row.get('label')) !== undefined,
    ),
  read: (row: Values) => {
    const verdict = verdictIn(row.get('label'))
    if (verdict === undefined) return { fault: message('partMissing', { part: 'label' }) }
    const fields = ['prompt', 'completion'].flatMap((name) => {
      const field = fieldOf(row.get(name))
      return field === null ? [] : [[name, ...field] as const]
    })
    const absent = ['prompt', 'completion'].find((name) => fieldOf(row.get(name)) === null)
    if (absent !== undefined) return { fault: message('partMissing', { part: absent }) }
    return {
      ...idIn(row),
      fields,
      annotations: [
        {
          annotator: '',
          status: 'submitted',
          questions: [['label', { kind: 'label_selection', value: verdict, labels: ['true', 'false'] }]],
        },
      ],
      data: restOf(row, ['id', 'prompt', 'completion', 'label']),
    }
  },
}
