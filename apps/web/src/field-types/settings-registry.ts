import type { FieldKind } from '@postil/contract/field-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { FieldSettingsSlice } from './define-settings.ts'

/** A slice with its types erased. It must get settings of its own kind. */
type AnySlice = FieldSettingsSlice<FieldKind>

/** The changeable settings of every field kind. Separate from `registry.ts`, because annotators never load it. */
const fieldSettings = byKind(import.meta.glob<AnySlice>('./*/settings.{ts,tsx}', { eager: true, import: 'settings' }))

/** Replaces the slices of types that this page doesn't know. Only the title can be changed. */
const unsupported = { kind: 'unsupported', SettingsForm: null, hasPreview: false } as unknown as AnySlice

/** Returns the slice of the kind that settings name. */
export const fieldSettingsSlice = (settings: KindNames): AnySlice => fieldSettings[kindIn(fieldSettings, settings)] ?? unsupported
