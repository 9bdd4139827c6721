import type { AnswerValue } from '@postil/contract/answer-value.ts'
import type { Gold, GoldReason, GoldSource } from '@postil/contract/gold.ts'
import type { Question } from '@postil/contract/questions.ts'
import type { AnswerGroup, ComparedAnswer, ComparedQuestion, Comparison, GoldBody } from '@postil/contract/review.ts'
import type { JsonObject } from '@postil/contract/wire/json.ts'
import { completenessOf } from '#question-types/completeness.ts'
import { isSameValue } from '#question-types/value-text.ts'

/** What a reviewer has decided about one question. */
export type Decision = {
  /** The final answer. Null if the question gets none, undefined if the reviewer hasn't decided yet. */
  readonly value?: AnswerValue | null
  /** How the reviewer decided: by choosing an answer, by taking the most frequent one, or by entering an answer. */
  readonly by: 'choice' | 'majority' | 'editor'
  readonly reason: GoldReason | null
  readonly note: string
}
/** A reviewer's decisions, keyed by question name. Questions without a decision are omitted. */
export type Decisions = { readonly [question: string]: Decision }

export type SentValues = GoldBody['values']

/** A question with its answers. */
export type ReviewedQuestion = {
  readonly question: Question
  readonly compared: ComparedQuestion
  /** The fields of the record. */
  readonly fields?: JsonObject | undefined
}

export const noDecision: Decision = { by: 'choice', reason: null, note: '' }

const own = <T>(object: { readonly [name: string]: T }, name: string): T | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined

export const decisionOn = (decisions: Decisions, { name }: Question): Decision | null => own(decisions, name) ?? null

const notAnswered = (name: string): ComparedQuestion => ({ name, groups: [], without: 0, agreement: null })

/** Returns the questions of the dataset with the answers to a record. */
export const reviewedQuestions = (
  questions: readonly Question[],
  comparison: Comparison,
  fields?: JsonObject,
): readonly ReviewedQuestion[] =>
  questions.map((question) => ({
    question,
    fields,
    compared: comparison.questions.find(({ name }) => name === question.name) ?? notAnswered(question.name),
  }))

/** Returns the groups that contain people's answers. A group that contains only the suggestion is left out. */
const answeredGroups = ({ groups }: ComparedQuestion): readonly AnswerGroup[] => groups.filter(({ count }) => count > 0)

/** Whether people gave different answers. */
export const isDisputed = (compared: ComparedQuestion): boolean => answeredGroups(compared).length > 1

export const answerCount = ({ groups }: ComparedQuestion): number => groups.reduce((sum, { count }) => sum + count, 0)

/** The most frequent answer. Null if the two most frequent answers are equally frequent, or if there are no answers. */
export const majorityOf = (compared: ComparedQuestion): AnswerGroup | null => {
  const sorted = answeredGroups(compared).toSorted((a, b) => b.count - a.count)
  const [first, second] = sorted
  return first === undefined || first.count === second?.count ? null : first
}

/** Returns where a final answer comes from. */
export const sourceOf = (compared: ComparedQuestion, value: AnswerValue, by: Decision['by']): GoldSource => {
  const answered = answeredGroups(compared)
  const group = answered.find((one) => isSameValue(one.value, value))
  if (group === undefined) return 'adjudicated'
  if (answered.length === 1) return group.count > 1 ? 'unanimous' : 'accepted'
  const isStrict = group.count * 2 > answerCount(compared)
  return isStrict || (by === 'majority' && majorityOf(compared) === group) ? 'majority' : 'adjudicated'
}

/**
 * Returns the decisions that a review starts with: the stored final answers, and the answers on which everyone agrees. If an
 * earlier review was finished and isn't stale, its optional questions without a final answer also start as decided: they get no
 * final answer.
 */
export const initialDecisions = (reviewed: readonly ReviewedQuestion[], gold: Gold | null): Decisions =>
  Object.fromEntries(
    reviewed.flatMap(({ question, compared }): [string, Decision][] => {
      const stored = gold && own(gold.values, question.name)
      if (stored) {
        const { value, reason, note, source } = stored
        return [[question.name, { value, by: source === 'majority' ? 'majority' : 'choice', reason, note: note ?? '' }]]
      }
      if (gold?.final && !gold.stale && !question.required) return [[question.name, { ...noDecision, value: null }]]
      const [only, ...others] = answeredGroups(compared)
      return only && others.length === 0 ? [[question.name, { ...noDecision, value: only.value }]] : []
    }),
  )

/** Returns the decisions for values that were sent. */
export const decisionsFrom = (reviewed: readonly ReviewedQuestion[], values: SentValues): Decisions =>
  Object.fromEntries(
    reviewed.map(({ question: { name } }): [string, Decision] => {
      const sent = own(values, name)
      if (sent === undefined) return [name, { ...noDecision, value: null }]
      const { value, source, reason = null, note } = sent
      return [name, { value, by: source === 'majority' ? 'majority' : 'choice', reason, note: note ?? '' }]
    }),
  )

/**
 * The answer that a reviewer is most likely to send back to its author: the first answer that differs from the decision. Without
 * a decision, answers are compared with the most frequent value.
 */
export const likelyReturned = (
  answers: readonly ComparedAnswer[],
  about: ReviewedQuestion | null,
  decisions: Decisions,
): ComparedAnswer | null => {
  if (about === null) return answers[0] ?? null
  const { question, compared } = about
  const decided = decisionOn(decisions, question)?.value ?? majorityOf(compared)?.value ?? null
  const differs = ({ groups }: ComparedAnswer): boolean => {
    const group = compared.groups[own(groups, question.name) ?? -1]
    return group === undefined || (decided !== null && !isSameValue(group.value, decided))
  }
  return answers.find(differs) ?? answers[0] ?? null
}

/** Whether the question must be decided before the review of the record can be finished. */
export const isOpen = ({ question, compared, fields }: ReviewedQuestion, decisions: Decisions): boolean => {
  const value = decisionOn(decisions, question)?.value
  if (value === undefined) return question.required || isDisputed(compared)
  if (value === null) return question.required
  const completeness = completenessOf(question, value, fields)
  return question.required ? completeness !== 'complete' : completeness === 'partial'
}

/**
 * Returns the next open question after the given one. After the last question, continues with the first. Null if all are decided.
 */
export const nextOpen = (
  reviewed: readonly ReviewedQuestion[],
  decisions: Decisions,
  after: string | null = null,
): Question | null => {
  const at = reviewed.findIndex(({ question }) => question.name === after)
  const inOrder = [...reviewed.slice(at + 1), ...reviewed.slice(0, at + 1)]
  return inOrder.find((one) => isOpen(one, decisions))?.question ?? null
}

/** Whether a stored final answer equals none of the people's answers. If so, the reviewer should look at the question again. */
const contradicts = ({ question, compared }: ReviewedQuestion, gold: Gold): boolean => {
  const stored = own(gold.values, question.name)
  return stored !== undefined && !answeredGroups(compared).some(({ value }) => isSameValue(value, stored.value))
}

/** Returns the question that a review starts with. */
export const firstQuestion = (reviewed: readonly ReviewedQuestion[], decisions: Decisions, gold: Gold | null): string | null =>
  (
    nextOpen(reviewed, decisions) ??
    (gold?.stale ? reviewed.find((one) => isDisputed(one.compared) || contradicts(one, gold)) : undefined)?.question ??
    reviewed.find(({ compared }) => isDisputed(compared))?.question ??
    reviewed[0]?.question
  )?.name ?? null

/** Whether a question has nothing left to decide. Such a question can be shown in one line. */
export const isSettled = (one: ReviewedQuestion, gold: Gold | null): boolean =>
  !isDisputed(one.compared) &&
  !(gold?.stale && contradicts(one, gold)) &&
  (answerCount(one.compared) > 0 || !one.question.required)

/** An answer to choose from. */
export type Candidate = Pick<AnswerGroup, 'value' | 'count' | 'users' | 'suggested'> & {
  /** Whether the answer is the stored final answer. */
  readonly isGold: boolean
  /** Whether the reviewer entered the answer and nobody else gave it. */
  readonly isOwn: boolean
}

/**
 * Returns the answers to choose from: people's answers, the suggestion, the stored final answer and the reviewer's own answer.
 */
export const candidatesOf = (
  { question, compared, fields }: ReviewedQuestion,
  decisions: Decisions,
  gold: Gold | null,
): readonly Candidate[] => {
  const stored = (gold && own(gold.values, question.name)?.value) ?? null
  const decided = decisionOn(decisions, question)?.value ?? null
  const added = { count: 0, users: [], suggested: false, isGold: false, isOwn: false }
  const list: Candidate[] = compared.groups.map((group) => ({
    ...added,
    ...group,
    isGold: stored !== null && isSameValue(stored, group.value),
  }))
  const isListed = (value: AnswerValue): boolean => list.some((one) => isSameValue(one.value, value))
  if (stored !== null && !isListed(stored)) list.push({ ...added, value: stored, isGold: true })
  if (decided !== null && completenessOf(question, decided, fields) !== 'empty' && !isListed(decided))
    list.push({ ...added, value: decided, isOwn: true })
  return list
}

/** Whether decisions contain something that the reviewer has typed. */
export const hasTyped = (decisions: Decisions): boolean =>
  Object.values(decisions).some(({ by, note }) => by === 'editor' || note.trim() !== '')

/** Returns the final answers to send. */
export const valuesToSend = (reviewed: readonly ReviewedQuestion[], decisions: Decisions, gold: Gold | null): SentValues =>
  Object.fromEntries(
    reviewed.flatMap(({ question, compared, fields }) => {
      const decision = decisionOn(decisions, question)
      if (decision?.value == null || completenessOf(question, decision.value, fields) === 'empty') return []
      const { value, by, reason } = decision
      const stored = gold && own(gold.values, question.name)
      // An unchanged final answer keeps its source, unless the final answers of the record are stale.
      const isKept = stored && !gold.stale && isSameValue(stored.value, value)
      const source = isKept ? stored.source : sourceOf(compared, value, by)
      const note = decision.note.trim()
      return [[question.name, { value, source, reason, note: note === '' ? null : note }]]
    }),
  )

/** Whether sent final answers equal the stored ones. If they are equal, nothing is lost if the server refuses the sent ones. */
export const areStored = (values: SentValues, gold: Gold | null): boolean =>
  gold !== null &&
  Object.keys(gold.values).length === Object.keys(values).length &&
  Object.entries(values).every(([name, { value }]) => {
    const stored = own(gold.values, name)
    return stored !== undefined && isSameValue(stored.value, value)
  })
