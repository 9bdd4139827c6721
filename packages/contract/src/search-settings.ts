import { z } from 'zod'
import { defineEndpoint } from './wire/define-endpoint.ts'
import { bool } from './wire/scalars.ts'

export const SearchSettings = z.strictObject({
  /** Whether searches for words ignore accents: `cafe` finds `café`, and vice versa. */
  ignore_accents: z.boolean(),
})
export type SearchSettings = z.infer<typeof SearchSettings>

export const getSearchSettings = defineEndpoint({
  id: 'search_settings.get',
  method: 'GET',
  path: '/datasets/:dataset_id/search-settings',
  result: SearchSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Get the search settings of a dataset',
})
export const setSearchSettings = defineEndpoint({
  id: 'search_settings.set',
  method: 'PUT',
  path: '/datasets/:dataset_id/search-settings',
  body: z.object({ ignore_accents: bool() }),
  result: SearchSettings,
  errors: [403, 404],
  addition: true,
  summary: 'Replace the search settings of a dataset; its text index is rebuilt in the background',
})

export const searchSettingsEndpoints = [getSearchSettings, setSearchSettings] as const
