import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { memo } from 'react'
import type { Similarity } from '#lib/url/grammar.ts'
import type { Annotator } from '../annotator.ts'
import { RecordMenu } from '../components/record/RecordMenu.tsx'
import type { QueueItem } from '../queue/item.ts'
import { useFindSimilar } from '../similarity/use-find-similar.tsx'

type Props = {
  readonly record: QueueItem['record']
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly annotator: Annotator
  readonly onFind: (similarity: Similarity) => void
}

/** What else can be had of a record of a page. A card that is selected does not draw it anew. */
export const CardMenu = memo(({ record, fields, questions, annotator, onFind }: Props) => {
  const { find, dialog } = useFindSimilar({ record, onFind })
  return (
    <>
      <RecordMenu {...{ record, fields, questions, annotator }} onFindSimilar={find} />
      {dialog}
    </>
  )
})
