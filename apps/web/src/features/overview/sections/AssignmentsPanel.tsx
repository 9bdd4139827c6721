import type { AssigneeSummary } from '@postil/contract/assignments.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { assigneesQuery, MoveDialog } from '#features/assignments/public.ts'
import { formatDay } from '#i18n/format-day.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { dueDay } from '#lib/due-date.ts'
import { Button } from '#ui/controls/Button.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { useOverview } from '../context.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import { Count } from '../parts/RecordsLink.tsx'
import styles from './sections.module.css'

const columns = ['assigned', 'done', 'remaining', 'overdue'] as const

/** Everyone's assigned records, and how many of them remain. Renders nothing if the dataset has no assignments. */
export const AssignmentsPanel = () => {
  const { t } = useTranslation('features/overview')
  const { dataset, people } = useOverview()
  const { data: assignees = [], error } = useQuery(assigneesQuery(dataset.id))
  const [moving, setMoving] = useState<AssigneeSummary | null>(null)
  if (error && assignees.length === 0) return <ProblemNotice error={error} />
  if (assignees.length === 0) return null
  const title = t('assignments.title')
  const sheet = {
    head: [t('people.name'), ...columns.map((column) => t(`assignments.${column}`)), t('assignments.due')],
    rows: assignees.map(({ user, due_at, ...counts }) => [user.username, ...columns.map((column) => counts[column]), due_at]),
  }
  return (
    <Panel title={title} hint={t('assignments.hint')} sheet={sheet}>
      <TableScroller label={title}>
        <table className={partStyles['table']}>
          <thead>
            <tr>
              <th scope="col">{t('people.name')}</th>
              {columns.map((column) => (
                <th key={column} scope="col" data-number="">
                  {t(`assignments.${column}`)}
                </th>
              ))}
              <th scope="col">{t('assignments.due')}</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {assignees.map((assignee) => (
              <Assignee key={assignee.user.id} assignee={assignee} onMove={() => setMoving(assignee)} />
            ))}
          </tbody>
        </table>
      </TableScroller>
      {moving && <MoveDialog datasetId={dataset.id} people={people.members} from={moving} onClose={() => setMoving(null)} />}
    </Panel>
  )
}

const Assignee = ({ assignee, onMove }: { readonly assignee: AssigneeSummary; readonly onMove: () => void }) => {
  const { t } = useTranslation('features/overview')
  const { user, can_answer, assigned, done, remaining, overdue, due_at } = assignee
  return (
    <tr>
      <th scope="row">
        <span className={styles['name']}>
          <Avatar name={user.username} size="mini" />
          <bdi>{user.username}</bdi>
          {!can_answer && <span className={partStyles['zero']}>({t('assignments.cannotAnswer')})</span>}
        </span>
      </th>
      <td data-number="">
        <Count value={assigned} search={{ assigned: user.id }} />
      </td>
      <td data-number="">{done}</td>
      <td data-number="">
        <Count value={remaining} search={{ assigned: user.id, status: 'pending' }} />
      </td>
      <td data-number="" className={overdue > 0 ? styles['overdue'] : undefined}>
        {overdue}
      </td>
      <td>{due_at === null ? '–' : <time dateTime={`${due_at}Z`}>{formatDay(dueDay(due_at))}</time>}</td>
      <td>
        {remaining > 0 && (
          <Button look="quiet" aria-label={t('assignments.moveOf', { name: user.username })} onClick={onMove}>
            {t('assignments.move')}
          </Button>
        )}
      </td>
    </tr>
  )
}
