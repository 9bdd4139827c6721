import type { QuestionKind, QuestionSettings } from '@postil/contract/question-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { QuestionSlice } from './define.ts'
import { unsupportedQuestion } from './unsupported.tsx'

/** A slice whose kind the compiler doesn't know. Pass it only settings and values of its own kind. */
type AnySlice = QuestionSlice<QuestionKind>

/** The slices of all question kinds, from their folders. */
export const questionSlices = byKind(import.meta.glob<AnySlice>('./*/index.{ts,tsx}', { eager: true, import: 'slice' }))

/**
 * Returns the slice for the kind of question that has these settings. For a type that this web app doesn't know, the slice shows
 * a message in place of the editor.
 */
export const questionSlice = (settings: KindNames): AnySlice =>
  questionSlices[kindIn(questionSlices, settings)] ?? unsupportedQuestion

/** Loads in advance all parts that the questions need. Rejects if the network fails. */
export const preloadQuestionTypes = async (all: readonly QuestionSettings[]): Promise<void> => {
  await Promise.all(all.map((settings) => questionSlice(settings).preload?.(settings)))
}
