import type { Field } from '@postil/contract/fields.ts'
import type { Question } from '@postil/contract/questions.ts'
import { memo } from 'react'
import type { Similarity } from '#lib/url/grammar.ts'
import type { Annotator } from '../answering/annotator.ts'
import type { ListItem } from '../queue/list-item.ts'
import { RecordMenu } from '../record/RecordMenu.tsx'
import { useFindSimilar } from '../similarity/use-find-similar.tsx'

type Props = {
  readonly record: ListItem['record']
  readonly fields: readonly Field[]
  readonly questions: readonly Question[]
  readonly annotator: Annotator
  readonly onFind: (similarity: Similarity) => void
}

/** The menu of one of the page's records. Memoized, so that selecting a card doesn't render it again. */
export const CardMenu = memo(({ record, fields, questions, annotator, onFind }: Props) => {
  const { find, dialog } = useFindSimilar({ record, onFind })
  return (
    <>
      <RecordMenu {...{ record, fields, questions, annotator }} onFindSimilar={find} />
      {dialog}
    </>
  )
})
