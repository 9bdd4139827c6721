import { Skeleton } from '#ui/loading/Skeleton.tsx'
import type { FieldViewProps } from '../define.ts'
import { Frame } from '../shared/Frame.tsx'
import { imageOrigins, useLinkedFields } from './linked-fields.ts'

/** A custom field. Its template gets the record, but no information about the user. */
export const CustomView = ({ field, record, search }: FieldViewProps<'custom'>) => {
  const { template, advanced_mode: advanced } = field.settings
  const { id, status, metadata, external_id } = record
  const fields = useLinkedFields(record.fields)
  if (fields === null) return <Skeleton width="100%" height="8rem" />
  const shown = { id, status, fields, metadata, external_id }
  const content = { template, advanced, record: shown, images: imageOrigins(record.fields), search }
  return <Frame title={field.title} content={content} />
}
