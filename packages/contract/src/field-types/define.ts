import type { z } from 'zod'
import type { JsonValue } from '#wire/json.ts'
import type { Reason } from '#wire/message.ts'

export const fieldKinds = ['text', 'image', 'chat', 'custom'] as const
export type FieldKind = (typeof fieldKinds)[number]

export type FieldFixtures<S> = {
  readonly settings: S
  readonly valid: readonly JsonValue[]
  readonly invalid: readonly unknown[]
}

export type FieldType<K extends FieldKind, S extends { readonly type: K }, I> = {
  readonly kind: K
  readonly createSettings: z.ZodType<S, I>
  /** An update must include every setting. */
  readonly updateSettings: z.ZodType<S>
  readonly settings: z.ZodType<S>
  /** Why a non-null value is invalid, as the end of a sentence that starts with the field's name. Null if it is valid. */
  readonly check: (value: JsonValue) => Reason | null
  readonly fixtures: FieldFixtures<S>
}

export const defineFieldType = <const K extends FieldKind, S extends { readonly type: K }, I>(
  type: FieldType<K, S, I>,
): FieldType<K, S, I> => type
