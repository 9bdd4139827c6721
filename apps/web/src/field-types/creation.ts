import type { FieldKind } from '@postil/contract/field-types/index.ts'
import { type KindNames, kindIn } from '@postil/contract/wire/kinds.ts'
import { byKind } from '#lib/by-kind.ts'
import type { FieldCreation } from './define-settings.ts'

/** A slice whose kind the compiler doesn't know. Pass it only settings of its own kind. */
type AnySlice = FieldCreation<FieldKind>

/** For each field kind, the code for creating fields. Separate from `registry.ts`, so that annotators don't load this code. */
const fieldCreations = byKind(import.meta.glob<AnySlice>('./*/settings.{ts,tsx}', { eager: true, import: 'creation' }))

/** The field kinds in the order in which they are offered. */
export const fieldKindsToMake: readonly FieldKind[] = Object.values(fieldCreations)
  .toSorted((a, b) => a.order - b.order)
  .map(({ kind }) => kind)

/** The slice for types that this web app doesn't know. */
const unsupported = { isFaulty: () => false, prepare: null, sample: () => null } as unknown as AnySlice

/** Returns the slice of a kind. */
export const fieldCreation = (kind: FieldKind): AnySlice => fieldCreations[kind] as AnySlice
/** Returns the slice of the settings' kind. */
export const fieldCreationOf = (settings: KindNames): AnySlice => fieldCreations[kindIn(fieldCreations, settings)] ?? unsupported
