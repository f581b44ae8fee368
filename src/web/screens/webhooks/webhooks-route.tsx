import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { account } from '../../base/api/account.ts'
import { webhooks } from '../../base/api/webhooks.ts'
import { Button } from '../../base/ui/button.tsx'
import { Card } from '../../base/ui/card.tsx'
import { CodeText } from '../../base/ui/code-text.tsx'
import { NotOffered } from '../../base/ui/not-offered.tsx'
import { UnreadNotice } from '../../base/ui/notice.tsx'
import { PageHeader, pageClass } from '../../base/ui/page-header.tsx'
import { Select } from '../../base/ui/select.tsx'
import { Skeleton } from '../../base/ui/skeleton.tsx'
import { Changes } from '../../signed-in/session/changes.tsx'
import { useSession } from '../../signed-in/session/session.ts'
import { DeliveryPanel } from './delivery-panel.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { EndpointCard } from './endpoint-card.tsx'
import { signatureExamples } from './signature-examples.ts'

/** Webhooks (`/:environment/webhooks`): the endpoint, and the deliveries to it. */
export function Component() {
  const { data: overview } = useQuery(account.overview(useSession()))
  const isOffered = overview === undefined || overview?.features.webhooks
  return isOffered ? <Webhooks /> : <NotOffered title="Webhooks" />
}

function Webhooks() {
  const session = useSession()
  const [search, setSearch] = useSearchParams()
  const { data, error, refetch } = useQuery(webhooks.endpoint(session))
  const chosen = search.get('delivery')
  const choose = (id: string | null) => setSearch(id === null ? {} : { delivery: id }, { replace: true })
  return (
    <div className={pageClass}>
      <PageHeader title="Webhooks" subtitle="A POST with the file’s id whenever its progress changes" />
      {error && <UnreadNotice what="The webhook" error={error} onAgain={() => void refetch()} />}
      {data ? (
        <Changes>
          <EndpointCard webhook={data.webhook} />
        </Changes>
      ) : (
        !error && <Skeleton className="h-24 rounded-lg" />
      )}
      <div className={`grid items-start gap-4.5 max-xl:grid-cols-1 ${chosen ? 'grid-cols-[minmax(0,1fr)_25rem]' : ''}`}>
        <DeliveryTable chosen={chosen} onChoose={choose} />
        {chosen && <DeliveryPanel key={chosen} id={chosen} onClose={() => choose(null)} />}
      </div>
      <VerifySignature />
    </div>
  )
}

type Language = (typeof signatureExamples)[number]['language']

const languages = signatureExamples.map(({ language }) => ({ value: language, label: language }))

/** How a program verifies the signature of an event, in five languages. */
function VerifySignature() {
  const [language, setLanguage] = useState<Language>('Node.js')
  const [copied, setCopied] = useState<Language | null>(null)
  const code = signatureExamples.find((example) => example.language === language)?.code ?? ''
  return (
    <Card className="grid min-w-0 gap-3 p-4.5">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-md font-semibold">Verify signatures</h2>
        <div className="flex gap-2">
          <Select label="Language" value={language} options={languages} onChange={setLanguage} />
          <Button onClick={() => void navigator.clipboard.writeText(code).then(() => setCopied(language))}>
            {copied === language ? 'Copied' : 'Copy'}
          </Button>
        </div>
      </div>
      <p className="text-ink-2">
        The body is only <code className="font-mono text-sm">{'{"id": "…"}'}</code>. Check the signature, respond with
        2xx within 15 seconds, then request the file’s metadata. Anything else is retried for three days. A whole
        receiver, and how to try it:{' '}
        <a href="/docs/webhooks" className="font-semibold text-accent underline-offset-2 hover:underline">
          webhooks in the API docs
        </a>
        .
      </p>
      <CodeText>{code}</CodeText>
    </Card>
  )
}
