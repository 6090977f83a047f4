// Calls Parley with the official Go client of MCP, and prints what it returns as JSON.
//
// Over each connection it starts one call that gets no answer. It cancels that call after one line on stdin, and goes on
// after the next.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var lines = bufio.NewScanner(os.Stdin)

// outcome is what one connection returned.
type outcome struct {
	Protocol  string `json:"protocol"`
	Tools     int    `json:"tools"`
	Flow      string `json:"flow"`
	Missing   string `json:"missing"`
	Unknown   int64  `json:"unknown"`
	Resource  string `json:"resource"`
	Prompt    bool   `json:"prompt"`
	Cancelled bool   `json:"cancelled"`
	Chat      string `json:"chat"`
}

// withKey adds the key to each request.
type withKey struct{}

func (withKey) RoundTrip(request *http.Request) (*http.Response, error) {
	request = request.Clone(request.Context())
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PARLEY_API_KEY"))
	return http.DefaultTransport.RoundTrip(request)
}

func main() {
	outcomes := map[string]outcome{}
	for name, version := range map[string]string{"auto": "", "legacy": "2025-11-25"} {
		overHTTP := &mcp.StreamableClientTransport{
			Endpoint:   os.Getenv("TRIAL_BASE") + "/mcp",
			HTTPClient: &http.Client{Transport: withKey{}},
		}
		overStdio := &mcp.CommandTransport{Command: exec.Command(os.Args[1], os.Args[2:]...)}
		outcomes["http "+name] = play(overHTTP, version)
		outcomes["stdio "+name] = play(overStdio, version)
	}
	must(struct{}{}, json.NewEncoder(os.Stdout).Encode(outcomes))
}

// play makes the calls over one connection, in a version of the protocol or in the newest that both sides know.
func play(transport mcp.Transport, version string) outcome {
	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "go-client", Version: "1"}, nil)
	session := must(client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version}))
	defer session.Close()
	call := func(ctx context.Context, name string, arguments any) (*mcp.CallToolResult, error) {
		return session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: arguments})
	}
	result := outcome{Protocol: session.InitializeResult().ProtocolVersion}
	result.Tools = len(must(session.ListTools(ctx, nil)).Tools)

	var flow struct{ ID, Name string }
	read(must(call(ctx, "create_flow", map[string]any{
		"projectId":  os.Getenv("TRIAL_PROJECT"),
		"name":       "Hours",
		"flowSchema": map[string]any{"language": "en"},
	})), &flow)
	result.Flow = flow.Name

	var missing struct{ Error struct{ Code string } }
	refused := must(call(ctx, "get_flow", map[string]any{"flowId": "cfl00000000000000000000000000"}))
	if refused.IsError {
		read(refused, &missing)
	}
	result.Missing = missing.Error.Code

	var wire *jsonrpc.Error
	if _, err := call(ctx, "no_such_tool", nil); errors.As(err, &wire) {
		result.Unknown = wire.Code
	}

	var resource struct{ Name string }
	contents := must(session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "parley://flows/" + flow.ID})).Contents
	must(struct{}{}, json.Unmarshal([]byte(contents[0].Text), &resource))
	result.Resource = resource.Name

	purpose := map[string]string{"purpose": "Answers questions about a bakery"}
	prompt := must(session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "build_agent", Arguments: purpose}))
	result.Prompt = strings.Contains(prompt.Messages[0].Content.(*mcp.TextContent).Text, "bakery")

	cancelling, cancel := context.WithCancel(ctx)
	ended := make(chan error)
	go func() {
		_, err := call(cancelling, "create_chat_completion", chat("silent"))
		ended <- err
	}()
	nextLine()
	cancel()
	result.Cancelled = errors.Is(<-ended, context.Canceled)
	nextLine()

	var completion struct {
		Choices []struct{ Message struct{ Content string } }
	}
	read(must(call(ctx, "create_chat_completion", chat("auto"))), &completion)
	result.Chat = completion.Choices[0].Message.Content
	return result
}

func chat(model string) map[string]any {
	return map[string]any{"model": model, "messages": []any{map[string]any{"role": "user", "content": "Hello"}}}
}

// read parses the text of a result.
func read(result *mcp.CallToolResult, into any) {
	must(struct{}{}, json.Unmarshal([]byte(result.Content[0].(*mcp.TextContent).Text), into))
}

func nextLine() {
	if !lines.Scan() {
		log.Fatal("stdin ended")
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}
