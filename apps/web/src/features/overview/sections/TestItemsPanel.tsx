import type { PersonResult } from '@postil/contract/test-items.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { formatCount, formatList } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { Button } from '#ui/controls/Button.tsx'
import { Notice } from '#ui/feedback/Notice.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { toastProblem } from '#ui/feedback/toast.ts'
import { Avatar } from '#ui/marks/Avatar.tsx'
import { letContinue, testResultsQuery } from '../api.ts'
import { useOverview } from '../context.ts'
import { formatShare } from '../parts/format.ts'
import { Panel, TableScroller } from '../parts/Panel.tsx'
import partStyles from '../parts/parts.module.css'
import styles from './sections.module.css'

/** People's answers to test items. Renders nothing if test items are turned off and nobody has answered any. */
export const TestItemsPanel = () => {
  const { t } = useTranslation('features/overview')
  const { dataset } = useOverview()
  const { data, error } = useQuery(testResultsQuery(dataset.id))
  if (error && !data) return <ProblemNotice error={error} />
  if (!data || (!data.enabled && data.people.length === 0)) return null
  const { people, available } = data
  const title = t('testItems.title')
  const sheet = {
    head: [
      t('people.name'),
      t('testItems.items'),
      t('testItems.score'),
      t('testItems.low'),
      t('testItems.high'),
      t('testItems.state'),
    ],
    rows: people.map(({ username, items, score, stopped }) => [
      username,
      items,
      score.value,
      score.low,
      score.high,
      stopped ? t('testItems.stopped') : null,
    ]),
  }
  const hint =
    available === 0 ? t('testItems.unavailable') : t('testItems.available', { count: available, shown: formatCount(available) })
  return (
    <Panel title={title} hint={hint} sheet={people.length === 0 ? null : sheet}>
      {people.length === 0 ? (
        <p className={partStyles['hint']}>{t('testItems.none')}</p>
      ) : (
        <TableScroller label={title}>
          <table className={partStyles['table']}>
            <thead>
              <tr>
                <th scope="col">{t('people.name')}</th>
                <th scope="col" data-number="">
                  {t('testItems.items')}
                </th>
                <th scope="col" data-number="" title={t('testItems.scoreHint')}>
                  {t('testItems.score')}
                </th>
                <th scope="col">{t('testItems.state')}</th>
              </tr>
            </thead>
            <tbody>
              {people.map((person) => (
                <Person key={person.user_id} person={person} />
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
    </Panel>
  )
}

const Person = ({ person: { user_id, username, items, score, stopped } }: { readonly person: PersonResult }) => {
  const { t } = useTranslation('features/overview')
  const { dataset } = useOverview()
  const client = useQueryClient()
  const release = useMutation({
    mutationFn: () => letContinue(dataset.id, user_id),
    onSuccess: () => client.invalidateQueries({ queryKey: testResultsQuery(dataset.id).queryKey }),
    onError: toastProblem,
  })
  return (
    <tr>
      <th scope="row">
        <span className={styles['name']}>
          <Avatar name={username} size="mini" />
          <bdi>{username}</bdi>
        </span>
      </th>
      <td data-number="">{formatCount(items)}</td>
      <td data-number="">
        {formatShare(score.value, 1)}
        <span className={styles['quartiles']}>
          {formatShare(score.low, 1)} – {formatShare(score.high, 1)}
        </span>
      </td>
      <td>
        {stopped && (
          <>
            {t('testItems.stopped')}{' '}
            <Button
              look="quiet"
              busy={release.isPending}
              aria-label={t('testItems.letContinueOf', { name: username })}
              onClick={() => release.mutate()}
            >
              {t('testItems.letContinue')}
            </Button>
          </>
        )}
      </td>
    </tr>
  )
}

/** Says which people get no more records. Shown on every part of the overview. */
export const StoppedNotice = ({ datasetId }: { readonly datasetId: string }) => {
  const { t } = useTranslation('features/overview')
  const { data } = useQuery(testResultsQuery(datasetId))
  const names = (data?.people ?? []).filter(({ stopped }) => stopped).map(({ username }) => username)
  if (names.length === 0) return null
  const toPeople = (
    <Link to="/dataset/$datasetId/overview" params={{ datasetId }} search={{ section: 'people' }}>
      {t('testItems.toPeople')}
    </Link>
  )
  return (
    <div className={styles['notice']}>
      <Notice kind="warning" action={toPeople}>
        {t('testItems.stoppedPeople', { count: names.length, names: formatList(names, true) })}
      </Notice>
    </div>
  )
}
