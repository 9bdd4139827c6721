import type { ModelAlignment, ModelDisagreement, QuestionAlignment } from '@postil/contract/model-alignment.ts'
import {
  kappaInterval,
  type MeasureInput,
  type Measures,
  measureInThread,
  nominalDistance,
  squaredDistance,
} from '#features/agreement/public.ts'
import type { Actor } from '#platform/auth/actor.ts'
import { actorOf } from '#platform/auth/actor.ts'
import type { Store } from '#platform/db/store.ts'
import type { UserShares } from '#platform/shares.ts'
import { alternativeTest } from './alternative.ts'
import {
  calibrationOf,
  correctedShare,
  countPairs,
  labelFigures,
  lengthBias,
  mcnemar,
  type Named,
  type Pair,
  type Rate,
} from './figures.ts'
import { countLook, readLooks } from './looks.ts'
import { type AlignedQuestion, type Compared, readAlignment, readDisagreements } from './read.ts'

type Ctx = { readonly store: Store } & UserShares

/**
 * Returns a function that lists the labels or labeled spans in a value. Precision and recall are computed from these lists.
 * Returns null if the question has no labels.
 */
const namedIn = (input: MeasureInput): ((value: number) => readonly Named[]) | null => {
  if (input.kind === 'categories' || input.kind === 'scale') return (value) => [{ label: value, key: String(value) }]
  if (input.kind === 'sets') return (value) => input.sets[value]!.map((label) => ({ label, key: String(label) }))
  if (input.kind !== 'spans') return null
  const indexes = new Map(input.labels.map((label, i) => [label, i]))
  return (value) =>
    input.spans[value]!.map(({ label, start, end }) => ({
      label: indexes.get(label) ?? 0,
      key: JSON.stringify([label, start, end]),
    }))
}

const printRate = (rate: Rate | null) => rate && { ...rate, interval: [...rate.interval] }

/** The confusion matrix and kappa of a question whose answers are single values. */
const matrixOf = ({ labels, model, pairs }: AlignedQuestion, kappa: number | null) => {
  if (model.kind !== 'categories' && model.kind !== 'scale') return { confusion: null, kappa: null }
  const counted = countPairs(pairs)
  const distance = model.kind === 'scale' ? squaredDistance(model.scale)([]) : nominalDistance([])
  const interval = kappaInterval(counted, labels.length, distance)
  const used = [...new Set(pairs.flat())].sort((a, b) => a - b)
  const at = new Map(used.map((value, i) => [value, i]))
  const counts = used.map(() => used.map(() => 0))
  for (const [expected, given, count] of counted) counts[at.get(expected)!]![at.get(given)!] = count
  const shown = used.map((value) => labels[value]!)
  return {
    confusion: { rows: shown, columns: [...shown], counts },
    kappa: kappa === null ? null : { value: kappa, interval: interval && [...interval] },
  }
}

const correctedOf = ({ labels, binary, pairs, rest }: AlignedQuestion): QuestionAlignment['corrected'] => {
  if (binary === null) return null
  const [positive, negative] = binary
  const count = (of: Pair): number => pairs.filter(([expected, given]) => expected === of[0] && given === of[1]).length
  const cases = {
    tp: [positive, positive],
    fn: [positive, negative],
    fp: [negative, positive],
    tn: [negative, negative],
  } as const
  const known = { tp: count(cases.tp), fn: count(cases.fn), fp: count(cases.fp), tn: count(cases.tn) }
  const found = correctedShare(known, {
    cases: rest.filter((value) => value === positive).length,
    others: rest.filter((value) => value === negative).length,
  })
  return found && { label: labels[positive]!, ...found, interval: found.interval && [...found.interval] }
}

const comparisonOf = ({ others }: AlignedQuestion): QuestionAlignment['comparison'] => {
  if (others === null) return null
  const only_this = others.filter(([own, other]) => own && !other).length
  const only_other = others.filter(([own, other]) => other && !own).length
  return { records: others.length, only_this, only_other, p: mcnemar(only_this, only_other) }
}

const alternativeOf = ({ duels, users }: AlignedQuestion, epsilon: number): QuestionAlignment['alternative'] => {
  const found = alternativeTest(duels, epsilon)
  return (
    found && {
      epsilon,
      winning: found.winning,
      advantage: found.advantage,
      annotators: found.rivals.map(({ rater, n, model, person, p, isBeaten }) => ({
        user_id: users[rater]!,
        records: n,
        model,
        person,
        p,
        beaten: isBeaten,
      })),
    }
  )
}

type Figures = { readonly model: Measures; readonly people: Measures; readonly epsilon: number }

const printQuestion = (question: AlignedQuestion, { model, people, epsilon }: Figures): QuestionAlignment => {
  const { id, name, labels, pairs, points, lengths, position } = question
  const [pair] = model.pairs.pairs
  const named = namedIn(question.model)
  const isRight = pairs.map(([expected, given]) => expected === given)
  const calibration = calibrationOf(points)
  return {
    question_id: id,
    name,
    records: pairs.length,
    equal: isRight.filter(Boolean).length,
    measure: model.measure,
    value: model.value,
    reason: model.reason,
    interval: model.interval && [...model.interval],
    similarity: pair?.observed ?? null,
    ...matrixOf(question, pair?.kappa?.value ?? null),
    human: {
      value: people.value,
      reason: people.reason,
      interval: people.interval && [...people.interval],
      records: people.units,
    },
    labels:
      named === null
        ? []
        : labelFigures(pairs, named).map(({ label, precision, recall }) => ({
            value: labels[label]!,
            precision: printRate(precision),
            recall: printRate(recall),
          })),
    calibration: calibration && { ...calibration, bins: [...calibration.bins] },
    length: lengthBias(lengths.map((length, i) => ({ length, isRight: isRight[i]! }))),
    corrected: correctedOf(question),
    alternative: alternativeOf(question, epsilon),
    comparison: comparisonOf(question),
    position: position && { ...position, same: { ...position.same, interval: [...position.same.interval] } },
  }
}

type Wanted = Omit<Compared, 'user'>

/**
 * Compares a run's answers with people's answers. If they are compared on the test half of the records, this is counted
 * (`test_looks`).
 * @throws Problem not_found, forbidden, unprocessable
 */
export const alignmentOf = async (
  ctx: Ctx,
  user: Actor,
  { epsilon, ...wanted }: Wanted & { readonly epsilon: number },
): Promise<ModelAlignment> => {
  const of = { user: actorOf(user), run_id: wanted.run_id }
  const release = await ctx.slowSearches.take(user.id)
  try {
    const questions = await ctx.store.read(readAlignment, { ...wanted, user: of.user }, { lane: 'slow' })
    const measured = await measureInThread(questions.flatMap(({ model, people }) => [model, people]))
    if (wanted.split === 'test') await ctx.store.write(countLook, of)
    return {
      against: wanted.against,
      split: wanted.split,
      looks: await ctx.store.read(readLooks, of),
      questions: questions.map((question, i) =>
        printQuestion(question, { model: measured[2 * i]!, people: measured[2 * i + 1]!, epsilon }),
      ),
    }
  } finally {
    release()
  }
}

type Page = Omit<Wanted, 'other'> & { readonly question: string; readonly offset: number; readonly limit: number }

/**
 * Returns a page of records where the run's answer differs from the reference. On the test half, reading the first page counts as
 * a comparison. @throws Problem not_found, forbidden, unprocessable
 */
export const disagreementsOf = async (ctx: Ctx, user: Actor, page: Page): Promise<{ items: ModelDisagreement[] }> => {
  const of = { user: actorOf(user), run_id: page.run_id }
  const release = await ctx.slowSearches.take(user.id)
  try {
    const items = await ctx.store.read(readDisagreements, { ...page, user: of.user }, { lane: 'slow' })
    if (page.split === 'test' && page.offset === 0) await ctx.store.write(countLook, of)
    return { items }
  } finally {
    release()
  }
}
