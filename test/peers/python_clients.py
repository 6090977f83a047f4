"""Makes the first calls of the official Python clients of MCP and OpenAI, and prints what they return as JSON."""

import asyncio
import io
import json
import os
import sys

import openai
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

base = os.environ["TRIAL_BASE"]
key = os.environ["PARLEY_API_KEY"]
project = os.environ["TRIAL_PROJECT"]


async def over_mcp(server, mode):
    async with Client(server, mode=mode) as client:
        tools = (await client.list_tools()).tools
        flow = await client.call_tool(
            "create_flow",
            {"projectId": project, "name": f"Hours {mode}", "flowSchema": {"language": "en"}},
        )
        missing = await client.call_tool("get_flow", {"flowId": "cfl00000000000000000000000000"})
        chat = await client.call_tool(
            "create_chat_completion", {"model": "auto", "messages": [{"role": "user", "content": "Hello"}]}
        )
        return {
            "tools": len(tools),
            "flow": flow.structured_content["name"],
            "missing": json.loads(missing.content[0].text)["error"]["code"] if missing.is_error else None,
            "chat": chat.structured_content["choices"][0]["message"]["content"],
        }


def over_openai():
    client = openai.OpenAI(base_url=f"{base}/v1", api_key=key)
    messages = [{"role": "user", "content": "Hello"}]
    chat = client.chat.completions.create(model="auto", messages=messages)
    stream = client.chat.completions.create(model="auto", messages=messages, stream=True)
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
        openai.OpenAI(base_url=f"{base}/v1", api_key="parley_sk_wrong").chat.completions.create(
            model="auto", messages=messages
        )
        unauthorized = None
    except openai.AuthenticationError as error:
        unauthorized = error.status_code
    return {
        "chat": chat.choices[0].message.content,
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
