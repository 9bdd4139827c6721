import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { QuestionCreationSlice } from './define-creation.ts'

/** A slice whose kind the compiler doesn't know. Pass it only settings of its own kind. */
type AnySlice = QuestionCreationSlice<QuestionKind>

/** The slices for creating questions, one for each kind. Separate from `registry.ts`, so that annotators don't load this code. */
const questionCreation = byKind(import.meta.glob<AnySlice>('./*/settings.{ts,tsx}', { eager: true, import: 'creation' }))

/** The question kinds in the order in which they are offered. */
export const questionKindsToMake: readonly QuestionKind[] = Object.values(questionCreation)
  .toSorted((a, b) => a.order - b.order)
  .map(({ kind }) => kind)

/** Returns the slice of a kind. */
export const creationSlice = (kind: QuestionKind): AnySlice => questionCreation[kind] as AnySlice
/** The slice for types that this web app doesn't know. Their settings stay unchanged. */
const unsupported = (settings: KindNames): AnySlice =>
  ({ kind: 'unsupported', initial: () => settings, CreationForm: () => null, fault: () => null }) as unknown as AnySlice

/** Returns the slice of the settings' kind. */
export const creationSliceOf = (settings: KindNames): AnySlice =>
  questionCreation[kindIn(questionCreation, settings)] ?? unsupported(settings)
