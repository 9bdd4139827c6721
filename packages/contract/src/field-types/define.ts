import type { z } from 'zod'
import type { JsonValue } from '#wire/json.ts'
import type { Reason } from '#wire/message.ts'

/**
 * The field types of Argilla's API. A kind that exists only in Postil uses the type from Argilla's API that has the same values.
 */
export type PublishedFieldType = 'text' | 'image' | 'chat' | 'custom'

/** Settings that every kind has. For a kind that Argilla's API doesn't have, `postil_kind` is the name of the kind. */
type SettingsBase = { readonly type: PublishedFieldType; readonly postil_kind?: string | undefined }

export type FieldFixtures<S> = {
  readonly settings: S
  readonly valid: readonly JsonValue[]
  readonly invalid: readonly unknown[]
}

export type FieldType<K extends string, S extends SettingsBase, I> = {
  readonly kind: K
  readonly createSettings: z.ZodType<S, I>
  /** An update must include every setting. */
  readonly updateSettings: z.ZodType<S>
  readonly settings: z.ZodType<S>
  /** Why a non-null value is invalid, as the end of a sentence that starts with the field's name. Null if it is valid. */
  readonly check: (value: JsonValue) => Reason | null
  readonly fixtures: FieldFixtures<S>
}

export const defineFieldType = <const K extends string, S extends SettingsBase, I>(
  type: FieldType<K, S, I>,
): FieldType<K, S, I> => type
