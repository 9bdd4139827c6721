import { Link } from '@tanstack/react-router'
import { useUser } from '#features/auth/public.ts'
import { useTranslation } from '#i18n/use-translation.ts'
import { href } from '#lib/api/base.ts'
import { HubCode, PythonCode } from '#lib/PythonCode.tsx'
import { Crumbs } from '#lib/shell/Crumbs.tsx'
import { HeaderContent } from '#lib/shell/header-slots.tsx'
import { useDocumentTitle } from '#ui/page/use-document-title.ts'
import { documents } from '../documents.ts'
import { topics } from '../topics.ts'
import styles from './GuidesPage.module.css'

const guidelines = ['goal', 'labels', 'unsure', 'change'] as const
const queue = ['minimum', 'lease', 'statuses', 'order'] as const
/** Keyboard shortcuts, in the order in which you use them on a record. */
const keys = [
  ['digits', 'digits'],
  ['submit', 'enter'],
  ['discard', 'backspace'],
  ['draft', 'save'],
  ['undo', 'undo'],
  ['records', 'leftRight'],
  ['questions', 'upDown'],
  ['help', 'help'],
] as const

/** A one-page introduction. */
export const GuidesPage = () => {
  const { t } = useTranslation('features/guides')
  const user = useUser()
  useDocumentTitle(t('title'))
  const headed = (topic: (typeof topics)[number]) => ({ id: topic, tabIndex: -1, children: t(`${topic}.title`) })
  return (
    <main id="main" tabIndex={-1} className={styles['page']}>
      <HeaderContent crumbs={<Crumbs crumbs={[{ label: t('title'), link: { to: '/guides' } }]} />} />
      <h1 className={styles['title']}>{t('title')}</h1>
      <p>{t('start')}</p>
      <nav aria-label={t('onThisPage')} className={styles['topics']}>
        <ul>
          {topics.map((topic) => (
            <li key={topic}>
              <a
                href={`#${topic}`}
                className="standing"
                onClick={(event) => {
                  // The document may contain a `<base>`. The link would then lead to the home page.
                  event.preventDefault()
                  const heading = document.getElementById(topic)
                  heading?.scrollIntoView()
                  heading?.focus({ preventScroll: true })
                }}
              >
                {t(`${topic}.title`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <section aria-labelledby="python" className={styles['guide']}>
        <h2 {...headed('python')} />
        <p>{t('python.text')}</p>
        <PythonCode label={t('python.code')} user={user} />
        <ul className={styles['points']}>
          {user.role !== 'annotator' && <li>{t('python.copied')}</li>}
          <li>{t('python.id')}</li>
          <li>{t('python.suggest')}</li>
        </ul>
        {user.role !== 'annotator' && (
          <>
            <p className={styles['next']}>{t('python.hub')}</p>
            <HubCode label={t('python.hubCode')} user={user} />
          </>
        )}
      </section>
      <section aria-labelledby="guidelines" className={styles['guide']}>
        <h2 {...headed('guidelines')} />
        <p>{t('guidelines.text')}</p>
        <ul className={styles['points']}>
          {guidelines.map((point) => (
            <li key={point}>{t(`guidelines.${point}`)}</li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="queue" className={styles['guide']}>
        <h2 {...headed('queue')} />
        <p>{t('queue.text')}</p>
        <ul className={styles['points']}>
          {queue.map((point) => (
            <li key={point}>{t(`queue.${point}`)}</li>
          ))}
        </ul>
      </section>
      <section aria-labelledby="keys" className={styles['guide']}>
        <h2 {...headed('keys')} />
        <p>{t('keys.text')}</p>
        <dl className={styles['keys']}>
          {keys.map(([action, key]) => (
            <div key={action}>
              <dt>
                <kbd>{t(`keys.key.${key}`)}</kbd>
              </dt>
              <dd>{t(`keys.${action}`)}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section aria-labelledby="docs" className={styles['guide']}>
        <h2 {...headed('docs')} />
        <p>{t('docs.text')}</p>
        <ul className={styles['docs']}>
          {documents.map((name) => (
            <li key={name}>
              <Link to="/guides/$document" params={{ document: name }} className="standing">
                {t(`docs.page.${name}`)}
              </Link>
            </li>
          ))}
          <li>
            <a href={href('/api/v1/docs')} className="standing" target="_blank" rel="noreferrer">
              {t('docs.api')}
            </a>
          </li>
        </ul>
      </section>
    </main>
  )
}
