import type { z } from 'zod'
import type { JsonValue } from '#wire/json.ts'
import type { Reason } from '#wire/message.ts'

export const metadataKinds = ['terms', 'integer', 'float'] as const
export type MetadataKind = (typeof metadataKinds)[number]

export type MetadataType<K extends MetadataKind, S extends { readonly type: K }, I> = {
  readonly kind: K
  readonly createSettings: z.ZodType<S, I>
  readonly settings: z.ZodType<S>
  /** Why a non-null value is invalid, as the end of a sentence that starts with the property's name. Null if it is valid. */
  readonly check: (value: JsonValue, settings: S) => Reason | null
  readonly fixtures: { readonly settings: S; readonly valid: readonly JsonValue[]; readonly invalid: readonly JsonValue[] }
}

export const defineMetadataType = <const K extends MetadataKind, S extends { readonly type: K }, I>(
  type: MetadataType<K, S, I>,
): MetadataType<K, S, I> => type
