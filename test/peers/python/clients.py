"""Calls Parley with the official Python clients of MCP and OpenAI, and prints what they return as JSON.

Over each connection it starts one call that gets no answer. It cancels that call after one line on stdin, and goes on
after the next.
"""

import asyncio
import io
import json
import os
import sys

import anyio
import openai
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

base = os.environ["TRIAL_BASE"]
key = os.environ["PARLEY_API_KEY"]
project = os.environ["TRIAL_PROJECT"]


def chat(model):
    return {"model": model, "messages": [{"role": "user", "content": "Hello"}]}


async def over_mcp(server, mode):
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        flow = await client.call_tool(
            "create_flow", {"projectId": project, "name": "Hours", "flowSchema": {"language": "en"}}
        )
        made = flow.structured_content
        missing = await client.call_tool("get_flow", {"flowId": "cfl00000000000000000000000000"})
        try:
            await client.call_tool("no_such_tool", {})
            unknown = None
        except MCPError as error:
            unknown = error.error.code
        resource = await client.read_resource(f"parley://flows/{made['id']}")
        prompt = await client.get_prompt("build_agent", {"purpose": "Answers questions about a bakery"})
        is_cancelled = await cancels(client)
        answer = await client.call_tool("create_chat_completion", chat("auto"))
        return {
            "protocol": client.protocol_version,
            "tools": len(tools),
            "flow": made["name"],
            "missing": json.loads(missing.content[0].text)["error"]["code"] if missing.is_error else None,
            "unknown": unknown,
            "resource": json.loads(resource.contents[0].text)["name"],
            "prompt": "bakery" in prompt.messages[0].content.text,
            "cancelled": is_cancelled,
            "chat": answer.structured_content["choices"][0]["message"]["content"],
        }


async def cancels(client):
    """Starts a call that gets no answer, and cancels it. Returns whether it returned nothing."""
    results = []

    async def call():
        results.append(await client.call_tool("create_chat_completion", chat("silent")))

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        await next_line()
        group.cancel_scope.cancel()
    await next_line()
    return results == []


async def next_line():
    if not await anyio.to_thread.run_sync(sys.stdin.readline):
        sys.exit("stdin ended")


def over_openai():
    client = openai.OpenAI(base_url=f"{base}/v1", api_key=key)
    completion = client.chat.completions.create(**chat("auto"))
    stream = client.chat.completions.create(**chat("auto"), stream=True)
    streamed = "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)
    speech = client.audio.speech.create(model="auto", voice="alloy", input="Good morning.")
    recording = io.BytesIO(bytes.fromhex(os.environ["TRIAL_RECORDING"]))
    transcript = client.audio.transcriptions.create(model="auto", file=("call.wav", recording))
    try:
        client.chat.completions.create(model="auto", messages="none")
        refused = None
    except openai.UnprocessableEntityError as error:
        refused = error.status_code
    try:
        openai.OpenAI(base_url=f"{base}/v1", api_key="parley_sk_wrong").chat.completions.create(**chat("auto"))
        unauthorized = None
    except openai.AuthenticationError as error:
        unauthorized = error.status_code
    return {
        "chat": completion.choices[0].message.content,
        "streamed": streamed,
        "speech": len(speech.content) > 0,
        "transcript": transcript.text,
        "refused": refused,
        "unauthorized": unauthorized,
    }


async def main():
    http = create_mcp_http_client(headers={"Authorization": f"Bearer {key}"})
    stdio = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ))
    results = {"openai": over_openai()}
    async with http:
        for mode in ("auto", "legacy"):
            transport = streamable_http_client(f"{base}/mcp", http_client=http)
            results[f"http {mode}"] = await over_mcp(transport, mode)
            results[f"stdio {mode}"] = await over_mcp(stdio, mode)
    print(json.dumps(results))


asyncio.run(main())
