import type { NoteGroup } from '@postil/contract/notes.ts'
import { takesNotes } from '@postil/contract/question-types/takes-notes.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatCount } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { recordLink } from '#lib/url/record-link.ts'
import { useDebouncedValue } from '#lib/use-debounced-value.ts'
import { Button } from '#ui/controls/Button.tsx'
import { CopyButton } from '#ui/controls/CopyButton.tsx'
import { Input } from '#ui/controls/Input.tsx'
import { Select } from '#ui/controls/Select.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { useOverview } from '../context.ts'
import { formatShare } from '../parts/format.ts'
import { Panel, ShareBar, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import sectionStyles from '../sections/sections.module.css'
import { noteGroupsQuery } from './api.ts'
import { MakeLabelDialog } from './MakeLabelDialog.tsx'
import styles from './notes.module.css'
import { rubricOf } from './rubric.ts'

const typingPause = 300

/** Groups of similar notes. Users can turn groups into labels or into a rubric for a model run. */
export const NotesSection = () => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const noted = questions.filter(({ settings }) => takesNotes(settings))
  const [name, setName] = useState(noted[0]?.name)
  const question = noted.find((one) => one.name === name)
  if (question === undefined) return <EmptyState title={t('notes.off')} hint={t('notes.offHint')} />
  return (
    <div className={sectionStyles['stack']}>
      {noted.length > 1 && (
        <div className={sectionStyles['tools']}>
          <Select
            label={t('notes.question')}
            value={question.name}
            options={noted.map((one) => ({ value: one.name, label: one.title }))}
            onChange={setName}
          />
        </div>
      )}
      <Groups key={question.id} question={question} />
    </div>
  )
}

const Groups = ({ question }: { readonly question: Question }) => {
  const { t } = useTranslation('features/overview')
  const { dataset } = useOverview()
  const [text, setText] = useState('')
  const [chosen, setChosen] = useState<ReadonlyMap<string, NoteGroup>>(new Map())
  const [isMaking, setMaking] = useState(false)
  const [vector, setVector] = useState<string | null>(null)
  const found = useInfiniteQuery(noteGroupsQuery(dataset.id, question.name, vector, useDebouncedValue(text.trim(), typingPause)))
  const { data, error, refetch } = found
  if (error && !data) return <ProblemNotice error={error} action={<Button onClick={() => void refetch()}>{t('again')}</Button>} />
  const [first] = data?.pages ?? []
  if (data === undefined || first === undefined) return <Skeleton height="18rem" />
  if (first.notes === 0) return <EmptyState title={t('notes.empty')} hint={t('notes.emptyHint', { title: question.title })} />
  const groups = data.pages.flatMap(({ items }) => items)
  const toggle = (group: NoteGroup): void => {
    const next = new Map(chosen)
    if (!next.delete(group.key)) next.set(group.key, group)
    setChosen(next)
  }
  const selected = [...chosen.values()]
  const listed = selected.length > 0 ? selected : groups
  const countOf = ({ records }: NoteGroup) => t('notes.records', { count: records, shown: formatCount(records) })
  const rubric = rubricOf(listed, t('notes.rubricIntro'), countOf)
  const numbers = {
    count: first.records,
    notes: formatCount(first.notes),
    records: formatCount(first.records),
    answered: formatCount(first.answered),
  }
  return (
    <Panel
      title={question.title}
      hint={first.limited ? t('notes.limited', numbers) : t('notes.hint', numbers)}
      sheet={{
        head: [t('notes.note'), t('notes.count'), t('notes.share'), t('notes.low'), t('notes.high')],
        rows: listed.map((group) => [group.text, group.records, group.share.value, group.share.low, group.share.high]),
      }}
    >
      <div className={styles['tools']}>
        <Input
          type="search"
          label={t('notes.search')}
          hideLabel
          placeholder={t('notes.search')}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        {first.vectors.length > 0 && (
          <Select
            label={t('notes.groupBy')}
            value={vector ?? ''}
            options={[
              { value: '', label: t('notes.byWords') },
              ...first.vectors.map((one) => ({ value: one.name, label: t('notes.byVector', { title: one.title }) })),
            ]}
            onChange={(value) => {
              setVector(value === '' ? null : value)
              setChosen(new Map())
            }}
          />
        )}
        <Button look="primary" blocked={selected.length === 0} onClick={() => setMaking(true)}>
          {t('notes.make')}
        </Button>
        <a
          className={styles['download']}
          download={`${dataset.name}-rubric.txt`}
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(rubric)}`}
        >
          {t('notes.download')}
        </a>
        <CopyButton label={t('notes.copy')} text={rubric} />
      </div>
      <p role="status" className={partStyles['hint']}>
        {selected.length > 0
          ? t('notes.selected', { count: selected.length, shown: formatCount(selected.length) })
          : t('notes.groups', { count: first.total, shown: formatCount(first.total) })}
      </p>
      {groups.length === 0 ? (
        <p className={partStyles['quiet']}>{t('notes.none')}</p>
      ) : (
        <TableScroller label={question.title}>
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <td />
                <th scope="col">{t('notes.note')}</th>
                <th scope="col" data-number="">
                  {t('notes.count')}
                </th>
                <th scope="col" data-bar="share" title={t('notes.shareHint')}>
                  {t('notes.share')}
                </th>
                <th scope="col" data-number="">
                  {t('notes.interval')}
                </th>
              </tr>
            </thead>
            <tbody>
              {groups.map((group) => (
                <Row key={group.key} group={group} isChosen={chosen.has(group.key)} onToggle={() => toggle(group)} />
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
      {found.hasNextPage && (
        <Button look="quiet" busy={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
          {t('notes.more')}
        </Button>
      )}
      {isMaking && (
        <MakeLabelDialog
          question={question}
          groups={selected}
          vector={vector}
          targetNames={first.targets}
          onStarted={() => setChosen(new Map())}
          onClose={() => setMaking(false)}
        />
      )}
    </Panel>
  )
}

type RowProps = { readonly group: NoteGroup; readonly isChosen: boolean; readonly onToggle: () => void }

const Row = ({ group: { text, records, share, examples }, isChosen, onToggle }: RowProps) => {
  const { t } = useTranslation('features/overview')
  const { dataset } = useOverview()
  return (
    <tr>
      <td className={styles['choice']}>
        <input
          type="checkbox"
          className={styles['box']}
          aria-label={t('notes.choose', { note: text })}
          checked={isChosen}
          onChange={onToggle}
        />
      </td>
      <th scope="row" className={styles['note']}>
        {examples.map((example) => (
          <a key={example.record_id + example.text} href={recordLink(dataset.id, example.record_id)} title={t('notes.open')}>
            <bdi>{example.text}</bdi>
          </a>
        ))}
      </th>
      <td data-number="">{formatCount(records)}</td>
      <td className={styles['share']}>
        <span className={sectionStyles['share']}>
          <ShareBar share={share.value} />
          {formatShare(share.value, 1)}
        </span>
      </td>
      <td data-number="">
        {formatShare(share.low, 1)} – {formatShare(share.high, 1)}
      </td>
    </tr>
  )
}
