import java.io.*;
import java.nio.ByteBuffer;
import java.nio.charset.*;
import java.util.HexFormat;

class Oracle {
    public static void main(String[] args) throws IOException {
        var in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            var bytes = HexFormat.of().parseHex(line.replace(" ", ""));
            try {
                StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT).decode(ByteBuffer.wrap(bytes));
                System.out.println(1);
            } catch (CharacterCodingException error) {
                System.out.println(0);
            }
        }
    }
}
