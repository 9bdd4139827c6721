import type { QuestionKind } from '@postil/contract/question-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { QuestionSettingsSlice } from './define-settings.ts'

/** A slice whose kind the compiler doesn't know. Pass it only settings of its own kind. */
type AnySlice = QuestionSettingsSlice<QuestionKind>

/** The changeable settings of every question kind. Separate from `registry.ts`, so that annotators don't load this code. */
const questionSettings = byKind(import.meta.glob<AnySlice>('./*/settings.{ts,tsx}', { eager: true, import: 'settings' }))

/** The slice for types that this web app doesn't know. Only title and description can be changed. */
const unsupported = {
  kind: 'unsupported',
  SettingsForm: null,
  fault: () => null,
  update: () => undefined,
  sample: () => null,
} as unknown as AnySlice

/** Returns the slice of the settings' kind. */
export const settingsSlice = (settings: KindNames): AnySlice =>
  questionSettings[kindIn(questionSettings, settings)] ?? unsupported
