import type { z } from 'zod'
import type { JsonValue } from '#wire/json.ts'
import type { Reason } from '#wire/message.ts'
import { tagged } from '#wire/tagged.ts'
import type { MetadataKind } from './define.ts'
import { metadataKinds } from './define.ts'
import { floatMetadata } from './float.ts'
import { integerMetadata } from './integer.ts'
import { termsMetadata } from './terms.ts'

type AnySlice<K extends MetadataKind> = { readonly kind: K; readonly settings: z.ZodType<{ readonly type: K }> }

export const metadataTypes = {
  terms: termsMetadata,
  integer: integerMetadata,
  float: floatMetadata,
} as const satisfies { readonly [K in MetadataKind]: AnySlice<K> }

type Slices = typeof metadataTypes
export type MetadataSettings = z.output<Slices[MetadataKind]['settings']>

export const MetadataSettings = tagged(
  'type',
  metadataKinds.map((kind) => metadataTypes[kind].settings),
)
export const MetadataSettingsCreate = tagged(
  'type',
  metadataKinds.map((kind) => metadataTypes[kind].createSettings),
)

type Erased = {
  readonly check: (value: JsonValue, settings: MetadataSettings) => Reason | null
  readonly createSettings: z.ZodType<MetadataSettings>
  readonly fixtures: {
    readonly settings: MetadataSettings
    readonly valid: readonly JsonValue[]
    readonly invalid: readonly JsonValue[]
  }
}
/** A metadata type with its type parameters erased. This is safe only if its methods receive settings of the same type. */
export const metadataType = (kind: MetadataKind): Erased => metadataTypes[kind] as unknown as Erased
