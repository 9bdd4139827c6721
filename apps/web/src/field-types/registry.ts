import type { FieldKind } from '@postil/contract/field-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { FieldSlice } from './define.ts'
import { unsupportedField } from './unsupported.tsx'

/** A slice with its types erased. It must get fields of its own kind. */
type AnySlice = FieldSlice<FieldKind>

/** The slices of all field kinds, from their folders. */
export const fieldSlices = byKind(import.meta.glob<AnySlice>('./*/index.{ts,tsx}', { eager: true, import: 'slice' }))

/** Returns the slice of the kind that settings name. For a type that this page doesn't know yet, values are shown as text. */
export const fieldSlice = (settings: KindNames): AnySlice => fieldSlices[kindIn(fieldSlices, settings)] ?? unsupportedField
