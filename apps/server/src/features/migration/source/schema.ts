import { FieldSettings, FieldSettingsCreate, fieldKinds } from '@postil/contract/field-types/index.ts'
import { metadataKinds } from '@postil/contract/metadata-types/define.ts'
import { MetadataSettings, MetadataSettingsCreate } from '@postil/contract/metadata-types/index.ts'
import { QuestionSettings, QuestionSettingsCreate, questionKinds } from '@postil/contract/question-types/index.ts'
import { jsonFault } from '@postil/contract/wire/json.ts'
import { defaultLimits, maxVectorDimensions } from '@postil/contract/wire/limits.ts'
import { renderMessage } from '@postil/contract/wire/render-message.ts'
import type { z } from 'zod'
import type { AdoptedSchema } from '#features/schema/public.ts'
import { firstFault } from './fault.ts'
import type { RawSchema } from './read.ts'

type Raw = { readonly type: string; readonly [key: string]: unknown }
type SettingsSchemas<S> = {
  readonly kinds: readonly string[]
  /**
   * Checks settings as if they came from a new request: missing settings get defaults, unknown keys are dropped and limits apply.
   */
  readonly sent: z.ZodType<S>
  /** Checks settings as they are stored. Stored settings may exceed length limits. */
  readonly stored: z.ZodType<S>
}

// Very high limits, because the source's operator may have allowed more options than this server's operator.
const anyNumber = { ...defaultLimits, labelOptions: 1_000_000, spanOptions: 1_000_000 }
const settingsSchemas = {
  fields: { kinds: fieldKinds, sent: FieldSettingsCreate, stored: FieldSettings },
  questions: { kinds: questionKinds, sent: QuestionSettingsCreate(anyNumber), stored: QuestionSettings },
  properties: { kinds: metadataKinds, sent: MetadataSettingsCreate, stored: MetadataSettings },
}

/** Removes the keys that `issues` reports as unknown. */
const withoutUnknown = (raw: Raw, issues: readonly z.core.$ZodIssue[]): unknown => {
  const copy: unknown = structuredClone(raw)
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    // The path may contain the tag of a union. The tag isn't a key of the value, so it is skipped.
    let place: unknown = copy
    for (const key of issue.path) place = Object(place)[key] ?? place
    for (const key of issue.keys) Reflect.deleteProperty(Object(place), key)
  }
  return copy
}

/** @returns the settings, or a sentence that explains why they can't be used */
const settingsOf = <S>(raw: Raw, { kinds, sent, stored }: SettingsSchemas<S>): { readonly settings: S } | string => {
  if (!kinds.includes(raw.type)) return `has the type '${raw.type}', which this version does not support`
  // The settings are first checked as stored data. The check for new requests would drop settings that only Postil has, such as
  // retired labels and earlier labels.
  const strict = stored.safeParse(raw)
  if (strict.success) return { settings: strict.data }
  const asSent = sent.safeParse(raw)
  if (asSent.success) return { settings: asSent.data }
  const again = stored.safeParse(withoutUnknown(raw, strict.error.issues))
  if (again.success) return { settings: again.data }
  return `has invalid settings: ${firstFault(asSent.error, 'they')}`
}

type Part = { readonly name: string; readonly settings: Raw }

const checkParts = <P extends Part, S>(
  parts: readonly P[],
  schemas: SettingsSchemas<S>,
  refuse: (name: string, reason: string) => void,
): readonly (Omit<P, 'settings'> & { readonly settings: S })[] =>
  parts.flatMap((part) => {
    const result = settingsOf(part.settings, schemas)
    if (typeof result !== 'string') return [{ ...part, ...result }]
    refuse(part.name, result)
    return []
  })

/**
 * Converts a dataset's schema to the format stored here.
 * @returns the schema, and `problems` with one sentence for each part that can't be copied
 */
export const checkSchema = (raw: RawSchema): { readonly schema: AdoptedSchema; readonly problems: readonly string[] } => {
  const problems: string[] = []
  const refuse = (what: string) => (name: string, reason: string) => problems.push(`${what} '${name}' ${reason}`)
  // Numbers aren't checked here, because this check would refuse large whole numbers, which the range of a float property may
  // contain. The schema of the settings checks numbers.
  const unkeepable = jsonFault(raw, 0, () => null)
  if (unkeepable !== null) problems.push(`its settings cannot be stored: ${renderMessage(unkeepable)}`)
  for (const { name, dimensions } of raw.vector_settings) {
    if (dimensions > maxVectorDimensions) refuse('vector settings')(name, `have more than ${maxVectorDimensions} dimensions`)
  }
  const schema = {
    fields: checkParts(raw.fields, settingsSchemas.fields, refuse('field')),
    questions: checkParts(raw.questions, settingsSchemas.questions, refuse('question')),
    metadata_properties: checkParts(raw.metadata_properties, settingsSchemas.properties, refuse('metadata property')),
    vector_settings: raw.vector_settings,
    label_colours: raw.label_colours,
  }
  return { schema, problems }
}
