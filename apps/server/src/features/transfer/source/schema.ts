import { fieldKinds } from '@postil/contract/field-types/define.ts'
import { FieldSettings, FieldSettingsCreate } from '@postil/contract/field-types/index.ts'
import { metadataKinds } from '@postil/contract/metadata-types/define.ts'
import { MetadataSettings, MetadataSettingsCreate } from '@postil/contract/metadata-types/index.ts'
import { questionKinds } from '@postil/contract/question-types/define.ts'
import { QuestionSettings, QuestionSettingsCreate } from '@postil/contract/question-types/index.ts'
import { jsonFault } from '@postil/contract/wire/json.ts'
import { defaultLimits, maxVectorDimensions } from '@postil/contract/wire/limits.ts'
import type { z } from 'zod'
import type { AdoptedSchema } from '#features/schema/service.ts'
import { firstFault } from './fault.ts'
import type { RawSchema } from './read.ts'

type Raw = { readonly type: string; readonly [key: string]: unknown }
type Judge<S> = {
  readonly kinds: readonly string[]
  /** As settings are sent: what is left out gets its default, unknown keys are dropped, limits hold. */
  readonly sent: z.ZodType<S>
  /** As they are stored: limits of length may have been overstepped since. */
  readonly stored: z.ZodType<S>
}

// NOTE: another operator may have allowed more options than this one
const anyNumber = { ...defaultLimits, labelOptions: 1_000_000, spanOptions: 1_000_000 }
const judges = {
  fields: { kinds: fieldKinds, sent: FieldSettingsCreate, stored: FieldSettings },
  questions: { kinds: questionKinds, sent: QuestionSettingsCreate(anyNumber), stored: QuestionSettings },
  properties: { kinds: metadataKinds, sent: MetadataSettingsCreate, stored: MetadataSettings },
}

/** Without the keys that `issues` call unknown. */
const withoutUnknown = (raw: Raw, issues: readonly z.core.$ZodIssue[]): unknown => {
  const copy: unknown = structuredClone(raw)
  for (const issue of issues) {
    if (issue.code !== 'unrecognized_keys') continue
    // NOTE: the tag of a union may stand in the path and is no key of the value
    let place: unknown = copy
    for (const key of issue.path) place = Object(place)[key] ?? place
    for (const key of issue.keys) Reflect.deleteProperty(Object(place), key)
  }
  return copy
}

/** @returns the settings, or one sentence on why they cannot be had */
const settingsOf = <S>(raw: Raw, { kinds, sent, stored }: Judge<S>): { readonly settings: S } | string => {
  if (!kinds.includes(raw.type)) return `is of type '${raw.type}', which this version does not know`
  const asSent = sent.safeParse(raw)
  if (asSent.success) return { settings: asSent.data }
  const strict = stored.safeParse(raw)
  const again = strict.success ? strict : stored.safeParse(withoutUnknown(raw, strict.error.issues))
  if (again.success) return { settings: again.data }
  return `has settings that do not fit: ${firstFault(asSent.error, 'they')}`
}

type Part = { readonly name: string; readonly settings: Raw }

const judged = <P extends Part, S>(
  parts: readonly P[],
  judge: Judge<S>,
  refuse: (name: string, reason: string) => void,
): readonly (Omit<P, 'settings'> & { readonly settings: S })[] =>
  parts.flatMap((part) => {
    const result = settingsOf(part.settings, judge)
    if (typeof result !== 'string') return [{ ...part, ...result }]
    refuse(part.name, result)
    return []
  })

/**
 * A dataset's schema as it is kept here.
 * @returns with `problems`, one sentence for each part that cannot be copied
 */
export const judgeSchema = (raw: RawSchema): { readonly schema: AdoptedSchema; readonly problems: readonly string[] } => {
  const problems: string[] = []
  const refuse = (what: string) => (name: string, reason: string) => problems.push(`${what} '${name}' ${reason}`)
  // NOTE: the schema of the settings judges numbers: in a range of floats they may be whole and large
  const unkeepable = jsonFault(raw, 0, () => null)
  if (unkeepable !== null) problems.push(`its settings cannot be kept: ${unkeepable}`)
  for (const { name, dimensions } of raw.vector_settings) {
    if (dimensions > maxVectorDimensions) refuse('vector settings')(name, `have more than ${maxVectorDimensions} dimensions`)
  }
  const schema = {
    fields: judged(raw.fields, judges.fields, refuse('field')),
    questions: judged(raw.questions, judges.questions, refuse('question')),
    metadata_properties: judged(raw.metadata_properties, judges.properties, refuse('metadata property')),
    vector_settings: raw.vector_settings,
    label_colours: raw.label_colours,
  }
  return { schema, problems }
}
