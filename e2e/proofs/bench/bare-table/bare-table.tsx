import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'

/** The baseline of the bench: a list of ids, a window of rows, one HEAD for each visible row, nothing else. */
const key = sessionStorage.getItem('parley.session.live')?.split('\n')[1] ?? ''
const headers = { authorization: `Basic ${btoa(`${key}:`)}` }

function Row({ id }: { id: string }) {
  const [name, setName] = useState('')
  useEffect(() => {
    void fetch(`/v1/file/${id}`, { method: 'HEAD', headers }).then((answer) => {
      const metadata = JSON.parse(answer.headers.get('x-service-metadata') ?? '{}') as { name?: string }
      setName(metadata.name ?? '')
    })
  }, [id])
  return name === '' ? null : <a href={`/live/files/${id}`}>{name}</a>
}

function Table() {
  const [ids, setIds] = useState<string[]>([])
  useEffect(() => {
    void fetch('/v1/files', { headers })
      .then((answer) => answer.json())
      .then((entries: { id: string }[]) => setIds(entries.map(({ id }) => id)))
  }, [])
  const rows = useWindowVirtualizer({ count: ids.length, estimateSize: () => 52, overscan: 6 })
  return (
    <div style={{ height: rows.getTotalSize(), position: 'relative' }}>
      {rows.getVirtualItems().map(({ index, start }) => (
        <div key={index} style={{ position: 'absolute', height: 52, transform: `translateY(${start}px)` }}>
          <Row id={ids[index] ?? ''} />
        </div>
      ))}
    </div>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<Table />)
