import type { Dataset } from '@postil/contract/datasets.ts'
import { takesNotes } from '@postil/contract/question-types/takes-notes.ts'
import type { Question } from '@postil/contract/questions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, notFound } from '@tanstack/react-router'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useUser } from '#features/auth/public.ts'
import { usePeople } from '#features/records/public.ts'
import { formatAgo } from '#i18n/format.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { LeadPage } from '#lib/shell/LeadPage.tsx'
import { type OverviewSection, overviewSections } from '#lib/url/overview-search.ts'
import { Button } from '#ui/controls/Button.tsx'
import { EmptyState } from '#ui/feedback/EmptyState.tsx'
import { ProblemNotice } from '#ui/feedback/ProblemNotice.tsx'
import { Skeleton } from '#ui/loading/Skeleton.tsx'
import { AgreementSection } from './agreement/AgreementSection.tsx'
import { VersionPicker } from './agreement/VersionPicker.tsx'
import { agreementQuery, freshAgreement, freshInsights, insightsQuery } from './api.ts'
import { ComparisonsSection } from './comparisons/ComparisonsSection.tsx'
import { OverviewContextProvider, useOverview } from './context.ts'
import { NotesSection } from './notes/NotesSection.tsx'
import styles from './OverviewPage.module.css'
import { AssignmentsPanel } from './sections/AssignmentsPanel.tsx'
import { InfluencePanel } from './sections/InfluencePanel.tsx'
import { LabelsSection } from './sections/LabelsSection.tsx'
import { PeopleSection } from './sections/PeopleSection.tsx'
import { ProgressSection } from './sections/ProgressSection.tsx'
import { SuggestionsSection } from './sections/SuggestionsSection.tsx'
import { StoppedNotice, TestItemsPanel } from './sections/TestItemsPanel.tsx'

const route = getRouteApi('/inside/dataset/$datasetId/overview')

/** What happened in a dataset. For owners and admins; annotators get a "not found" page. */
export const OverviewPage = () => {
  const { datasetId } = route.useParams()
  const { t } = useTranslation('features/overview')
  const user = useUser()
  if (user.role === 'annotator') throw notFound()
  return (
    <LeadPage datasetId={datasetId} title={t('title')} to="/dataset/$datasetId/overview">
      {(loaded) => <Content key={datasetId} {...loaded} />}
    </LeadPage>
  )
}

const Sections = ({ datasetId, current }: { readonly datasetId: string; readonly current: OverviewSection }) => {
  const { t } = useTranslation('features/overview')
  const { questions } = useOverview()
  const has: { readonly [S in OverviewSection]?: boolean } = {
    comparisons: questions.some(({ settings }) => 'compare' in settings),
    notes: questions.some(({ settings }) => takesNotes(settings)),
  }
  const shown = overviewSections.filter((section) => has[section] !== false || section === current)
  const list = useRef<HTMLUListElement>(null)
  // On a phone, not all links fit next to each other, so the current link is scrolled into view.
  useEffect(() => {
    list.current?.querySelector(`[data-section="${current}"]`)?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav aria-label={t('sections')} className={styles['sections']}>
      <ul ref={list}>
        {shown.map((section) => (
          <li key={section}>
            <Link
              to="/dataset/$datasetId/overview"
              params={{ datasetId }}
              search={{ section }}
              aria-current={section === current ? 'page' : undefined}
              className={styles['section']}
              data-section={section}
            >
              {t(`section.${section}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

/** Shows when the displayed counts were read, with a button that updates them. */
const Refresh = ({ datasetId, section }: { readonly datasetId: string; readonly section: OverviewSection }) => {
  const { t } = useTranslation('features/overview')
  const { version = null } = route.useSearch()
  const client = useQueryClient()
  const [state, setState] = useState<'idle' | 'busy' | 'failed'>('idle')
  const isAgreement = section === 'agreement'
  const insights = useQuery({ ...insightsQuery(datasetId), enabled: !isAgreement })
  const agreement = useQuery({ ...agreementQuery(datasetId, version), enabled: isAgreement })
  const asOf = (isAgreement ? agreement.data : insights.data)?.as_of
  const refresh = async (): Promise<void> => {
    setState('busy')
    try {
      if (isAgreement) client.setQueryData(agreementQuery(datasetId, version).queryKey, await freshAgreement(datasetId, version))
      else client.setQueryData(insightsQuery(datasetId).queryKey, await freshInsights(datasetId))
      setState('idle')
    } catch {
      setState('failed')
    }
  }
  return (
    <div className={styles['refresh']}>
      <span role="status">
        {state === 'failed' ? t('refreshFailed') : asOf && t('asOf', { ago: formatAgo(asOf, Date.now()) })}
      </span>
      <Button look="quiet" busy={state === 'busy'} onClick={() => void refresh()}>
        {t('refresh')}
      </Button>
    </div>
  )
}

const Waiting = () => (
  <div className={styles['waiting']} aria-busy="true">
    <Skeleton height="6rem" />
    <Skeleton height="18rem" />
  </div>
)

type ContentProps = { readonly dataset: Dataset; readonly questions: readonly Question[] }

const Content = ({ dataset, questions }: ContentProps) => {
  const { section = 'progress' } = route.useSearch()
  const people = usePeople(dataset.workspace_id)
  const context = useMemo(() => ({ dataset, questions, people }), [dataset, questions, people])
  return (
    <OverviewContextProvider value={context}>
      <div className={styles['top']}>
        <Sections datasetId={dataset.id} current={section} />
        {section !== 'notes' && section !== 'comparisons' && <Refresh datasetId={dataset.id} section={section} />}
      </div>
      <StoppedNotice datasetId={dataset.id} />
      {section === 'agreement' ? (
        <Agreement datasetId={dataset.id} />
      ) : section === 'comparisons' ? (
        <ComparisonsSection />
      ) : section === 'notes' ? (
        <NotesSection />
      ) : (
        <Counts datasetId={dataset.id} section={section} />
      )}
    </OverviewContextProvider>
  )
}

type Failure = { readonly error: Error; readonly refetch: () => Promise<unknown> }
const Failed = ({ error, refetch }: Failure) => {
  const { t } = useTranslation('features/overview')
  return (
    <ProblemNotice
      error={error}
      action={
        <Button look="plain" onClick={() => void refetch()}>
          {t('again')}
        </Button>
      }
    />
  )
}

const Agreement = ({ datasetId }: { readonly datasetId: string }) => {
  const { question = null, version = null } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (shown: { readonly question: string | null; readonly version: number | null }) =>
    void navigate({
      search: {
        section: 'agreement',
        ...(shown.question !== null && { question: shown.question }),
        ...(shown.version !== null && { version: shown.version }),
      },
      replace: true,
      resetScroll: false,
    })
  const agreement = useQuery(agreementQuery(datasetId, version))
  // The section needs the counts to show for which questions nearly all answers are equal.
  const insights = useQuery(insightsQuery(datasetId))
  if (agreement.error && !agreement.data) return <Failed error={agreement.error} refetch={agreement.refetch} />
  if (!agreement.data) return <Waiting />
  const isEmpty = agreement.data.questions.every(({ answers }) => answers === 0)
  return (
    <>
      <VersionPicker datasetId={datasetId} version={version} onChange={(chosen) => show({ question, version: chosen })} />
      {isEmpty ? (
        <NoAnswers />
      ) : (
        <AgreementSection
          agreement={agreement.data}
          counts={insights.data?.questions ?? []}
          open={question}
          onOpen={(name) => show({ question: name, version })}
        />
      )}
    </>
  )
}

const NoAnswers = () => {
  const { t } = useTranslation('features/overview')
  return <EmptyState title={t('empty')} hint={t('emptyHint')} />
}

const Counts = ({ datasetId, section }: { readonly datasetId: string; readonly section: OverviewSection }) => {
  const { data, error, refetch } = useQuery(insightsQuery(datasetId))
  if (error && !data) return <Failed error={error} refetch={refetch} />
  if (!data) return <Waiting />
  if (section === 'progress') return <ProgressSection insights={data} none={<NoAnswers />} />
  if (section === 'people')
    return (
      <div className={styles['panels']}>
        {data.people.length === 0 ? <NoAnswers /> : <PeopleSection insights={data} />}
        <TestItemsPanel />
        <AssignmentsPanel />
      </div>
    )
  if (data.people.length === 0) return <NoAnswers />
  if (section === 'labels') return <LabelsSection insights={data} />
  return (
    <div className={styles['panels']}>
      <SuggestionsSection insights={data} />
      {data.suggestions.length > 0 && <InfluencePanel insights={data} />}
    </div>
  )
}
