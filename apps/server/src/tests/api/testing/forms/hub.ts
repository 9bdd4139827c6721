import type { ApiFixture } from '../fixture.ts'
import { hubPlan } from '../hub.ts'
import { mapping } from '../imports.ts'
import { mappingRules, planRules } from './imports.ts'
import { bool, type Form, nullable, type Rule, required, text, unchecked } from './rule.ts'

const writeOnly = { writeOnly: true } as const
const token = (presence: typeof nullable | typeof required): Rule => {
  const any = text('token', { ...presence, ...writeOnly }, {})
  return {
    ...any,
    refused: [
      ...any.refused,
      ['', 'string_too_short'],
      [' ', 'string_too_short'],
      ...['hf_a\nhf_b', 'hf a', 'hf_ü', 'hf_\u200b'].map((one) => [one, 'string_pattern_mismatch'] as const),
    ],
    accepted: [['!'], ['hf_~']],
  }
}
const params = ({ rich }: ApiFixture) => ({ dataset_id: rich.dataset.id })

export const hubForms: readonly Form[] = [
  {
    id: 'hub.import',
    good: (fixture) => ({
      params: params(fixture),
      body: {
        name: 'team/rows',
        subset: 'default',
        split: 'train',
        mapping: { ...mapping(fixture), metadata: [], suggestions: [], external_id: null },
        token: null,
      },
    }),
    rules: [
      text('name', { ...required, ...writeOnly }, {}),
      text('subset', { ...required, ...writeOnly }, {}),
      text('split', { ...required, ...writeOnly }, {}),
      token(nullable),
      ...mappingRules,
    ],
  },
  {
    id: 'hub.export',
    good: (fixture) => ({
      params: params(fixture),
      body: { name: 'team/rows', subset: 'default', split: 'train', private: false, token: 'hf_token' },
    }),
    rules: [
      text('name', { ...required, ...writeOnly }, { min: 1 }),
      text('subset', { ...nullable, ...writeOnly }, { min: 1 }),
      text('split', { ...nullable, ...writeOnly }, { min: 1 }),
      bool('private', { ...nullable, ...writeOnly }),
      token(required),
    ],
  },
  {
    id: 'hub.check',
    good: (fixture) => ({
      body: {
        ...hubPlan(fixture),
        metadata_properties: [],
        mapping: { ...hubPlan(fixture).mapping, metadata: [], suggestions: [], external_id: null },
      },
    }),
    rules: [
      text('name', { ...required, ...writeOnly, ...unchecked }, {}),
      text('subset', { ...required, ...writeOnly, ...unchecked }, {}),
      text('split', { ...required, ...writeOnly, ...unchecked }, {}),
      ...planRules,
    ],
  },
]
