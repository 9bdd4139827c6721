import type { FieldViewProps } from '../define.ts'
import { Frame } from '../shared/Frame.tsx'

/** A field that a template of the dataset's draws. The template gets the record, nothing of who reads it. */
export const CustomView = ({ field, record, search }: FieldViewProps<'custom'>) => {
  const { template, advanced_mode: advanced } = field.settings
  const { id, status, fields, metadata, external_id } = record
  const content = { template, advanced, record: { id, status, fields, metadata, external_id }, search }
  return <Frame title={field.title} content={content} />
}
