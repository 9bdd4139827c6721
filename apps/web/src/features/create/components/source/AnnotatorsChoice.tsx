import type { ImportFile } from '@postil/contract/files/imports.ts'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Select } from '#ui/controls/Select.tsx'
import { ChevronRightIcon } from '#ui/marks/icons.tsx'
import { type AnnotatorChoice, type AnnotatorChoices, choiceOf, maxMappedAnnotators } from '../../annotators.ts'
import type { Annotators } from '../../use-annotators.ts'
import styles from './AnnotatorsChoice.module.css'
import columns from './Columns.module.css'

type Props = {
  readonly file: Pick<ImportFile, 'contents'>
  readonly people: Annotators['people']
  readonly choices: AnnotatorChoices
  readonly onChange: (choices: AnnotatorChoices) => void
}

/**
 * The people whose annotations a file contains, each with a choice of how the annotations are imported. Renders nothing if there
 * are none.
 */
export const AnnotatorsChoice = ({ file: { contents }, people, choices, onChange }: Props) => {
  const { t } = useTranslation('features/create')
  const found = contents?.annotations ?? []
  if (found.length === 0) return null
  const options: readonly { readonly value: AnnotatorChoice; readonly label: string }[] = [
    { value: 'suggestions', label: t('annotators.suggestions') },
    { value: 'nothing', label: t('annotators.nothing') },
    ...people.map(({ id, username }) => ({ value: `user:${id}` as const, label: t('annotators.answersOf', { username }) })),
  ]
  const more = found.length - maxMappedAnnotators
  const hasComments = found.some(({ comments = 0 }) => comments > 0)
  return (
    <section aria-labelledby="annotators" className={styles['annotators']}>
      <h3 id="annotators" className={styles['title']}>
        {t('annotators.title')}
      </h3>
      <p className={styles['hint']}>
        {t('annotators.hint')} {hasComments && t('annotators.commentsHint')}
      </p>
      <ul className={columns['columns']}>
        {found.slice(0, maxMappedAnnotators).map(({ name, annotations, comments = 0 }) => {
          const shown = name === '' ? t('annotators.unnamed') : name
          return (
            <li key={name} className={columns['column']}>
              <div>
                <p className={columns['name']}>
                  <bdi>{shown}</bdi>
                </p>
                <p className={columns['samples']}>
                  {t('annotators.count', { count: annotations, formatted: formatCount(annotations) })}
                  {comments > 0 && `, ${t('annotators.comments', { count: comments, formatted: formatCount(comments) })}`}
                </p>
              </div>
              <ChevronRightIcon className={columns['arrow']} />
              <div className={columns['becomes']}>
                <Select<AnnotatorChoice>
                  label={t('annotators.becomes', { name: shown })}
                  value={choiceOf(name, choices, people)}
                  options={options}
                  onChange={(choice) => onChange({ ...choices, [name]: choice })}
                />
              </div>
            </li>
          )
        })}
      </ul>
      {more > 0 && <p className={styles['hint']}>{t('annotators.more', { count: more, formatted: formatCount(more) })}</p>}
    </section>
  )
}
