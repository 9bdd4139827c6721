import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { float } from './wire/scalars.ts'

/**
 * When annotators see suggestions. `after_answer`: on records to which they have submitted an answer. Owners and admins always
 * see them.
 */
export const suggestionVisibilities = ['always', 'after_answer', 'never'] as const

export const SuggestionSettings = z.strictObject({
  show: z.enum(suggestionVisibilities),
  /**
   * The share of records, from 0 to 1, on which an annotator never sees suggestions. Each annotator has a different, fixed set of
   * these records.
   */
  blind_share: z.number(),
})
export type SuggestionSettings = z.infer<typeof SuggestionSettings>

export const SuggestionSettingsInput = z.object({
  show: z.enum(suggestionVisibilities).default('always'),
  blind_share: float({ ge: 0, le: 1 }).default(0),
})

export const getSuggestionSettings = defineEndpoint({
  id: 'suggestion_settings.get',
  method: 'GET',
  path: '/datasets/:dataset_id/suggestion-settings',
  result: SuggestionSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Get the suggestion settings of a dataset',
})
export const setSuggestionSettings = defineEndpoint({
  id: 'suggestion_settings.set',
  method: 'PUT',
  path: '/datasets/:dataset_id/suggestion-settings',
  body: SuggestionSettingsInput,
  result: SuggestionSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Set the suggestion settings of a dataset',
})

export const suggestionSettingsEndpoints = [getSuggestionSettings, setSuggestionSettings] as const
