import { flatRules } from '@postil/contract/conditions.ts'
import { isIncomplete } from '#features/conditions/public.ts'
import { fieldCreationOf } from '#field-types/creation.ts'
import {
  fieldTitleMax,
  guidelinesMax,
  metadataTitleMax,
  minSubmittedMax,
  minSubmittedMin,
  nameMax,
  questionDescriptionMax,
  questionTitleMax,
} from '#lib/constants.ts'
import { creationSliceOf } from '#question-types/creation-registry.ts'
import { subjectsBefore } from './conditions.ts'
import type { Draft, FieldPart, PropertyPart, QuestionPart } from './draft.ts'

/** Message keys under `fault` in this area. */
type TextFault = 'required' | 'tooLong' | 'twice'
export type PartFault = { readonly on: 'name' | 'title' | 'description'; readonly message: TextFault; readonly max: number }
/** The errors in a part's text inputs and in its settings. `shownInForm` means that the settings form shows the error itself. */
export type PartFaults = {
  readonly words: readonly PartFault[]
  readonly settings: string | null
  /** Whether the condition has a rule without values, or a rule about a question or property that the condition can't use. */
  readonly condition: boolean
}

export type Faults = {
  readonly name: 'required' | 'tooLong' | 'taken' | null
  readonly workspace: 'required' | null
  readonly guidelines: 'tooLong' | null
  readonly minSubmitted: 'required' | 'wholeNumber' | 'tooGreat' | null
  readonly fields: 'atLeastOneField' | 'atLeastOneRequiredField' | 'noFieldFromFile' | null
  readonly questions: 'atLeastOneQuestion' | 'atLeastOneRequired' | 'hasInvalidQuestions' | null
  /** The errors of parts, keyed by the part's key. Parts without errors aren't included. */
  readonly parts: ReadonlyMap<string, PartFaults>
  readonly count: number
}

const length = (text: string): number => Array.from(text.trim()).length
const isTooLong = (text: string, max: number): boolean => length(text) > max

type TextPart = { readonly key: string; readonly name: string; readonly title: string; readonly description?: string }

const textFaults = (part: TextPart, all: readonly TextPart[], titleMax: number): PartFault[] => {
  const faults: PartFault[] = []
  const add = (on: PartFault['on'], message: TextFault, max = 0) => faults.push({ on, message, max })
  const name = part.name.trim()
  if (name === '') add('name', 'required')
  else if (isTooLong(name, nameMax)) add('name', 'tooLong', nameMax)
  else if (all.some((other) => other.key !== part.key && other.name.trim() === name)) add('name', 'twice')
  if (isTooLong(part.title, titleMax)) add('title', 'tooLong', titleMax)
  if (isTooLong(part.description ?? '', questionDescriptionMax)) add('description', 'tooLong', questionDescriptionMax)
  return faults
}

const fieldFaults = (part: FieldPart, { fields }: Draft): PartFaults => ({
  words: textFaults(part, fields, fieldTitleMax),
  settings: fieldCreationOf(part.settings).isFaulty(part.settings) ? 'shownInForm' : null,
  condition: false,
})

const hasFaultyCondition = (part: QuestionPart, draft: Draft): boolean => {
  if (!part.shown_when) return false
  const { questions, properties } = subjectsBefore(draft, part)
  return (
    isIncomplete(part.shown_when) ||
    flatRules(part.shown_when).some(({ rule }) =>
      'metadata' in rule
        ? properties.every(({ name }) => name !== rule.metadata)
        : questions.every(({ name }) => name !== rule.question),
    )
  )
}

const questionFaults = (part: QuestionPart, draft: Draft): PartFaults => ({
  words: textFaults(part, draft.questions, questionTitleMax),
  settings: creationSliceOf(part.settings).fault(part.settings as never, draft.fields),
  condition: hasFaultyCondition(part, draft),
})

const propertyFaults = (part: PropertyPart, { properties }: Draft): PartFaults => ({
  words: textFaults(part, properties, metadataTitleMax),
  settings: null,
  condition: false,
})

const faultOfFields = ({ fields }: Draft, hasFile: boolean): Faults['fields'] => {
  if (fields.length === 0) return 'atLeastOneField'
  if (!fields.some(({ required }) => required)) return 'atLeastOneRequiredField'
  return hasFile && !fields.some(({ source }) => source !== null) ? 'noFieldFromFile' : null
}

const faultOfQuestions = ({ questions }: Draft, parts: Faults['parts']): Faults['questions'] => {
  if (questions.length === 0) return 'atLeastOneQuestion'
  if (!questions.some(({ required }) => required)) return 'atLeastOneRequired'
  return questions.some(({ key }) => parts.has(key)) ? 'hasInvalidQuestions' : null
}

const faultOfName = (name: string, taken: ReadonlySet<string>): Faults['name'] => {
  if (name.trim() === '') return 'required'
  if (isTooLong(name, nameMax)) return 'tooLong'
  return taken.has(name.trim()) ? 'taken' : null
}

const faultOfMinSubmitted = (typed: string): Faults['minSubmitted'] => {
  if (typed === '') return 'required'
  if (!/^\d+$/.test(typed) || Number(typed) < minSubmittedMin) return 'wholeNumber'
  return Number(typed) > minSubmittedMax ? 'tooGreat' : null
}

type FaultContext = {
  /** The names of the other datasets in the workspace. */
  readonly taken: ReadonlySet<string>
  readonly hasFile: boolean
}

export const faultsOf = (draft: Draft, { taken, hasFile }: FaultContext): Faults => {
  const all = [
    ...draft.fields.map((part) => [part.key, fieldFaults(part, draft)] as const),
    ...draft.questions.map((part) => [part.key, questionFaults(part, draft)] as const),
    ...draft.properties.map((part) => [part.key, propertyFaults(part, draft)] as const),
  ]
  const parts = new Map(all.filter(([, { words, settings, condition }]) => words.length > 0 || settings !== null || condition))
  const whole = {
    name: faultOfName(draft.name, taken),
    workspace: draft.workspaceId === '' ? ('required' as const) : null,
    guidelines: isTooLong(draft.guidelines, guidelinesMax) ? ('tooLong' as const) : null,
    minSubmitted: faultOfMinSubmitted(draft.minSubmitted.trim()),
    fields: faultOfFields(draft, hasFile),
    questions: faultOfQuestions(draft, parts),
  }
  const ownCount = Object.values(whole).filter((fault) => fault !== null && fault !== 'hasInvalidQuestions').length
  return { ...whole, parts, count: ownCount + parts.size }
}
