import type { FieldKind } from '@postil/contract/field-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { FieldSlice } from './define.ts'
import { unsupportedField } from './unsupported.tsx'

/** A slice whose kind the compiler doesn't know. Pass it only fields of its own kind. */
type AnySlice = FieldSlice<FieldKind>

/** The slices of all field kinds, from their folders. */
export const fieldSlices = byKind(import.meta.glob<AnySlice>('./*/index.{ts,tsx}', { eager: true, import: 'slice' }))

/** Returns the slice of the settings' kind. Values of a type that this web app doesn't know are shown as text. */
export const fieldSlice = (settings: KindNames): AnySlice => fieldSlices[kindIn(fieldSlices, settings)] ?? unsupportedField
