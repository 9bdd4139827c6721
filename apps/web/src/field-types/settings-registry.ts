import type { FieldKind } from '@postil/contract/field-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { FieldSettingsSlice } from './define-settings.ts'

/** A slice whose kind the compiler doesn't know. Pass it only settings of its own kind. */
type AnySlice = FieldSettingsSlice<FieldKind>

/** The changeable settings of every field kind. Separate from `registry.ts`, so that annotators don't load this code. */
const fieldSettings = byKind(import.meta.glob<AnySlice>('./*/settings.{ts,tsx}', { eager: true, import: 'settings' }))

/** The slice for types that this web app doesn't know. Only the title can be changed. */
const unsupported = { kind: 'unsupported', SettingsForm: null, hasPreview: false } as unknown as AnySlice

/** Returns the slice of the settings' kind. */
export const fieldSettingsSlice = (settings: KindNames): AnySlice => fieldSettings[kindIn(fieldSettings, settings)] ?? unsupported
