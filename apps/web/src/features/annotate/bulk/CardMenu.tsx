import type { Field } from '@postil/contract/fields.ts'
import { memo } from 'react'
import type { Similarity } from '#lib/url/grammar.ts'
import { RecordMenu } from '../components/RecordMenu.tsx'
import type { QueueItem } from '../queue/item.ts'
import { useFindSimilar } from '../similarity/use-find-similar.tsx'

type Props = {
  readonly record: QueueItem['record']
  readonly fields: readonly Field[]
  readonly onFind: (similarity: Similarity) => void
}

/** What else can be had of a record of a page. A card that is selected does not draw it anew. */
export const CardMenu = memo(({ record, fields, onFind }: Props) => {
  const { find, dialog } = useFindSimilar({ record, onFind })
  return (
    <>
      <RecordMenu record={record} fields={fields} onFindSimilar={find} />
      {dialog}
    </>
  )
})
