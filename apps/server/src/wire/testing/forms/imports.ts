import { mapping, upload } from '../imports.ts'
import type { Stage } from '../stage.ts'
import { type Form, list, nullable, object, required, text, unchecked } from './rule.ts'

const writeOnly = { writeOnly: true } as const
const good = async (stage: Stage) => ({
  params: await upload(stage),
  body: { mapping: { ...mapping(stage), metadata: [], suggestions: [], external_id: null } },
})
const nothing = () => ({})

const rules: Form['rules'] = [
  object('mapping', { ...required, ...writeOnly }),
  { ...list('mapping.fields', { ...required, ...writeOnly }, { min: 1, item: nothing }), accepted: [] },
  text('mapping.fields.0.source', { ...writeOnly, ...unchecked }, {}),
  text('mapping.fields.0.target', { ...writeOnly, ...unchecked }, {}),
  list('mapping.metadata', { ...nullable, ...writeOnly }, { item: nothing }),
  list('mapping.suggestions', { ...nullable, ...writeOnly }, { item: nothing }),
  text('mapping.external_id', { ...nullable, ...writeOnly }, {}),
]

export const importForms: readonly Form[] = [
  { id: 'imports.check', good, rules },
  { id: 'imports.start', good, rules },
]
