import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { QuestionSlice } from './define.ts'
import { unsupportedQuestion } from './unsupported.tsx'

/** A slice with its types erased. It must get settings and values of its own kind. */
type AnySlice = QuestionSlice<QuestionKind>

/** The slices of all question kinds, from their folders. */
export const questionSlices = byKind(import.meta.glob<AnySlice>('./*/index.{ts,tsx}', { eager: true, import: 'slice' }))

/**
 * Returns the slice of the kind that settings name. For a type that this page doesn't know yet, it returns a slice that says so in
 * place of the editor.
 */
export const questionSlice = (settings: KindNames): AnySlice =>
  questionSlices[kindIn(questionSlices, settings)] ?? unsupportedQuestion
