import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnswerValue } from './answer-value.ts'
import { ConditionSchema, conditionFault, withCurrentChoices } from './condition-rules.ts'
import {
  type Choice,
  type Condition,
  type ConditionRule,
  flatRules,
  hiddenQuestions,
  isGroup,
  maxConditionDepth,
  rulesOf,
  shownValues,
  withChoices,
} from './conditions.ts'
import type { QuestionSettings, SettingsOf } from './question-types/index.ts'
import { checkResponse } from './record-rules.ts'
import { renderMessage } from './wire/render-message.ts'

const labels = (...values: string[]) => values.map((value) => ({ value, text: value, description: null }))
const label: SettingsOf<'label_selection'> = { type: 'label_selection', options: labels('a', 'b'), visible_options: null }
const tags: QuestionSettings = {
  type: 'multi_label_selection',
  options: labels('x', 'y'),
  visible_options: null,
  options_order: 'natural',
}
const stars: QuestionSettings = { type: 'rating', options: [{ value: 1 }, { value: 2 }] }
const text: QuestionSettings = { type: 'text', use_markdown: false }

type Question = { name: string; required: boolean; settings: QuestionSettings; shown_when: Condition | null }
const kinds = { label, tags, stars, text } as const
const choices: { readonly [kind in keyof typeof kinds]: readonly Choice[] } = {
  label: ['a', 'b'],
  tags: ['x', 'y'],
  stars: [1, 2],
  text: [],
}

type Kind = keyof typeof kinds
const kindOf = (name: string) => name.split(' ')[0] as Kind

/** Conditions on some questions and on the metadata property `lang`, at most three levels deep. */
const conditionOn = (names: readonly string[]): fc.Arbitrary<Condition> => {
  const metadata = fc.record({
    metadata: fc.constant('lang'),
    in: fc.uniqueArray(fc.constantFrom('de', 'en'), { minLength: 1 }),
  })
  const answered = fc.record({ question: fc.constantFrom('', ...names), answered: fc.constant(true as const) })
  const compared = names.filter((name) => choices[kindOf(name)].length > 0)
  const chosen =
    compared.length === 0
      ? metadata
      : fc.constantFrom(...compared).chain((question) =>
          fc.record({
            question: fc.constant(question),
            in: fc.uniqueArray(fc.constantFrom(...choices[kindOf(question)]), { minLength: 1 }),
          }),
        )
  const simple: fc.Arbitrary<ConditionRule> = fc.oneof(
    metadata,
    chosen,
    names.length === 0 ? metadata : answered.filter(({ question }) => question !== ''),
  )
  const group = (depth: number): fc.Arbitrary<Condition> => {
    const rule = depth === 1 ? simple : fc.oneof(simple, group(depth - 1))
    const rules = fc.array(rule, { minLength: 1, maxLength: 3 })
    return fc.oneof(
      rules.map((all) => ({ all })),
      rules.map((any) => ({ any })),
    )
  }
  return group(maxConditionDepth)
}

const schema: fc.Arbitrary<readonly Question[]> = fc
  .array(fc.constantFrom<Kind>('label', 'tags', 'stars', 'text'), { minLength: 1, maxLength: 5 })
  .chain((list) => {
    const names = list.map((kind, i) => `${kind} ${i}`)
    return fc.tuple(
      ...names.map((name, i) =>
        fc.record({
          name: fc.constant(name),
          required: fc.boolean(),
          settings: fc.constant(kinds[kindOf(name)]),
          shown_when: fc.option(conditionOn(names.slice(0, i))),
        }),
      ),
    )
  })

const valueFor = (kind: Kind): fc.Arbitrary<AnswerValue> => {
  if (kind === 'tags') return fc.uniqueArray(fc.constantFrom('x', 'y'), { minLength: 1 })
  if (kind === 'text') return fc.constant('words')
  return fc.constantFrom<string | number>(...choices[kind])
}
const answered = schema.chain((questions) =>
  fc.record({
    questions: fc.constant(questions),
    values: fc
      .tuple(...questions.map(({ name }) => fc.option(valueFor(kindOf(name)))))
      .map((given) =>
        Object.fromEntries(given.flatMap((value, i) => (value === null ? [] : [[questions[i]?.name ?? '', { value }]]))),
      ),
    metadata: fc.option(fc.record({ lang: fc.constantFrom<string | string[]>('de', 'en', ['de', 'fr']) })),
  }),
)

/** Applies the definition of conditions to one question at a time. The tests compare the result with `hiddenQuestions`. */
const expectedHidden = (
  questions: readonly Question[],
  values: { readonly [name: string]: { readonly value: unknown } },
  metadata: { readonly lang: string | string[] } | null,
): string[] => {
  const hidden: string[] = []
  const list = (value: unknown): unknown[] => [value].flat().filter((one) => one !== undefined)
  for (const { name, shown_when } of questions) {
    const holds = (rule: ConditionRule): boolean => {
      if (isGroup(rule)) {
        const results = rulesOf(rule).map(holds)
        return 'all' in rule ? !results.includes(false) : results.includes(true)
      }
      if ('metadata' in rule) return rule.in.some((value) => list(metadata?.lang).includes(value))
      const given = hidden.includes(rule.question) ? [] : list(values[rule.question]?.value)
      return 'answered' in rule ? given.length > 0 : rule.in.some((value) => given.includes(value))
    }
    if (shown_when !== null && !holds(shown_when)) hidden.push(name)
  }
  return hidden
}

describe('hidden questions', () => {
  it('match the definition', () => {
    fc.assert(
      fc.property(answered, ({ questions, values, metadata }) => {
        expect([...hiddenQuestions(questions, values, metadata)]).toEqual(expectedHidden(questions, values, metadata))
      }),
      { numRuns: 500 },
    )
  })

  it('stay the same when their values are removed, and the answer can then be submitted if it is complete', () => {
    fc.assert(
      fc.property(answered, ({ questions, values, metadata }) => {
        const hidden = hiddenQuestions(questions, values, metadata)
        const shown = shownValues(values, hidden)
        expect(hiddenQuestions(questions, shown, metadata)).toEqual(hidden)
        const isMissing = questions.some(({ name, required }) => required && !hidden.has(name) && !Object.hasOwn(shown, name))
        const isEmpty = Object.keys(shown).length === 0 && hidden.size < questions.length
        const record = { fields: {}, metadata }
        expect(checkResponse(shown, 'submitted', questions, record) === null).toBe(!isMissing && !isEmpty)
        if (!isMissing && shown !== values) expect(checkResponse(values, 'submitted', questions, record)).not.toBeNull()
        expect(checkResponse(values, 'draft', questions, record)).toBeNull()
      }),
    )
  })

  it('are fewer or the same when answers are unknown', () => {
    fc.assert(
      fc.property(answered, ({ questions, values, metadata }) => {
        const certain = hiddenQuestions(questions, null, metadata, () => true)
        expect(hiddenQuestions(questions, values, metadata).isSupersetOf(certain)).toBe(true)
      }),
    )
  })

  it('compare labels by their current values', () => {
    const renamed: SettingsOf<'label_selection'> = {
      ...label,
      ...{ options: labels('A', 'b'), replaced: [{ from: 'a', to: 'A' }] },
    }
    const of = (choice: string): Question[] => [
      { name: 'l', required: true, settings: renamed, shown_when: null },
      { name: 't', required: true, settings: text, shown_when: { all: [{ question: 'l', in: [choice] }] } },
    ]
    for (const choice of ['a', 'A'])
      for (const value of ['a', 'A', 'b'])
        expect(hiddenQuestions(of(choice), { l: { value } }, null).has('t')).toBe(value === 'b')
    const stored = of('a')[1]?.shown_when
    expect(stored && withCurrentChoices(stored, of('a'))).toEqual({ all: [{ question: 'l', in: ['A'] }] })
  })

  it('do not count empty lists and texts as answers', () => {
    const questions = [
      { name: 's', settings: text },
      { name: 't', settings: text, shown_when: { all: [{ question: 's', answered: true as const }] } },
    ]
    for (const value of [[], '', null]) expect(hiddenQuestions(questions, { s: { value } }, null).has('t')).toBe(true)
    for (const value of [[{ label: 'a', start: 0, end: 1 }], 'x', 0])
      expect(hiddenQuestions(questions, { s: { value } }, null).has('t')).toBe(false)
  })
})

const parse = (value: unknown) => {
  const { error, data } = ConditionSchema.safeParse(value)
  const [issue] = error?.issues ?? []
  return issue === undefined ? data : [issue.path.join('.'), issue.message]
}

describe('a condition', () => {
  it('is read as it was written', () => {
    fc.assert(
      fc.property(conditionOn(['label 0', 'tags 1', 'stars 2', 'text 3']), (condition) => {
        expect(parse(JSON.parse(JSON.stringify(condition)))).toEqual(condition)
      }),
    )
  })

  const rule = { question: 'q', answered: true }
  it.each<[unknown, string, string]>([
    ['all', '', 'dictionary'],
    [[rule], '', 'dictionary'],
    [{}, '', 'exactly one of the keys all, any'],
    [{ question: 'q', answered: true }, '', 'exactly one of the keys all, any'],
    [{ all: [rule], any: [rule] }, '', 'exactly one'],
    [{ all: [] }, 'all', 'at least 1 item'],
    [{ all: rule }, 'all', 'valid list'],
    [{ any: [rule, 1] }, 'any.1', 'dictionary'],
    [{ any: [rule, {}] }, 'any.1', 'all, any, question, metadata'],
    [{ any: [{ question: 'q', in: ['a'], answered: true }] }, 'any.0', 'exactly one of the keys in, answered'],
    [{ any: [{ question: 'q', answered: false }] }, 'any.0.answered', 'true'],
    [{ any: [{ question: 'q', in: [] }] }, 'any.0.in', 'at least 1 item'],
    [{ any: [{ question: 'q', in: ['a', null] }] }, 'any.0.in.1', 'string or a number'],
    [{ any: [{ question: '', in: ['a'] }] }, 'any.0.question', 'at least 1 character'],
    [{ any: [{ question: 1, in: ['a'] }] }, 'any.0.question', 'string'],
    [{ any: [{ metadata: 'm', answered: true }] }, 'any.0', 'exactly one of the keys in'],
    [{ any: [{ metadata: 'm', in: ['a'], not: true }] }, 'any.0.not', 'not permitted'],
    [{ all: [{ any: [{ all: [{ any: [rule] }] }] }] }, 'all.0.any.0.all.0', 'at most 3 levels'],
    [{ all: Array(101).fill(rule) }, 'all', 'at most 100'],
    [{ all: Array(50).fill({ any: [rule, rule] }) }, 'all.25.any', 'at most 100'],
  ])('is refused: %j', (value, path, reason) => {
    const [at, why] = parse(value) as [string, string]
    expect([at, why]).toEqual([path, expect.stringContaining(reason)])
  })

  const earlier = [
    { name: 'label', settings: label },
    { name: 'stars', settings: stars },
    { name: 'text', settings: text },
  ]
  const parts = {
    earlier,
    others: ['label', 'stars', 'text', 'own', 'later'],
    properties: [
      { name: 'lang', settings: { type: 'terms' as const, values: ['de', 'en'] }, visible_for_annotators: true },
      { name: 'size', settings: { type: 'integer' as const, min: 0, max: null }, visible_for_annotators: true },
      { name: 'secret', settings: { type: 'terms' as const, values: null }, visible_for_annotators: false },
    ],
  }
  it.each<[ConditionRule, string | null]>([
    [{ question: 'label', in: ['a', 'b'] }, null],
    [{ question: 'stars', in: [1] }, null],
    [{ question: 'text', answered: true }, null],
    [{ metadata: 'lang', in: ['de'] }, null],
    [{ metadata: 'size', in: [3] }, null],
    [{ question: 'nope', in: ['a'] }, 'the dataset has no question `nope`'],
    [{ question: 'own', answered: true }, 'question `own` does not come before'],
    [{ question: 'later', answered: true }, 'question `later` does not come before'],
    [{ question: 'text', in: ['a'] }, 'only `answered`'],
    [{ question: 'label', in: ['a', 'c'] }, '"c" is not a valid option'],
    [{ question: 'stars', in: ['1'] }, '"1" is not a valid option'],
    [{ metadata: 'nope', in: ['a'] }, 'no metadata property `nope`'],
    [{ metadata: 'lang', in: ['fr'] }, 'must be one of the allowed terms'],
    [{ metadata: 'size', in: ['3'] }, 'must be an integer'],
    [{ metadata: 'secret', in: ['a'] }, 'annotators cannot see'],
  ])('refers to what exists before it: %j', (one, reason) => {
    const valid: ConditionRule = { question: 'label', answered: true }
    const fault = conditionFault('own', { any: [valid, { all: [one] }] }, parts)
    if (reason === null) expect(fault).toBeNull()
    else {
      expect(fault && renderMessage(fault)).toContain(reason)
      expect(fault && renderMessage(fault)).toContain('question `own` is not valid at shown_when.any[1].all[0]')
    }
  })

  it('gets new values only in rules about the given question', () => {
    fc.assert(
      fc.property(conditionOn(['label 0', 'label 1', 'text 2']), (condition) => {
        const replaced = withChoices(condition, 'label 0', (value) => (value === 'a' ? ['A', 'b'] : [value]))
        const rules = flatRules(condition)
        const others = flatRules(replaced)
        expect(others.map(({ path }) => path)).toEqual(rules.map(({ path }) => path))
        for (const [i, { rule: before }] of rules.entries()) {
          const after = others[i]?.rule
          const isMeant = 'question' in before && before.question === 'label 0' && 'in' in before && before.in.includes('a')
          if (isMeant) expect(after).toEqual({ ...before, in: expect.arrayContaining(['A', 'b']) })
          else expect(after).toEqual(before)
        }
        expect(withChoices(condition, 'label 0', (value) => [value])).toBe(condition)
      }),
    )
  })
})
